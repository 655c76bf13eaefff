#include "reference/utf8.h"

#include <doctest/doctest.h>

#include <string>

using histolab::beginning_of;

TEST_CASE("text is cut between two characters") {
  CHECK(beginning_of("abc", 3) == "abc");
  CHECK(beginning_of("abc", 2) == "ab");
  CHECK(beginning_of("abc", 0).empty());
  CHECK(beginning_of("a\u00e4b", 2) == "a");
  CHECK(beginning_of("a\u00e4b", 3) == "a\u00e4");
  for (const std::size_t most : {1u, 2u, 3u, 4u}) CHECK(beginning_of("a\U0001f600b", most) == "a");
  CHECK(beginning_of("a\U0001f600b", 5) == "a\U0001f600");
}

TEST_CASE("text that is not UTF-8 is cut at any byte") {
  CHECK(beginning_of(std::string(100, '\x80'), 50).size() == 50);
  CHECK(beginning_of(std::string(100, '\xe4'), 50).size() == 50);
}
