#include "reference/nesting.h"

#include <doctest/doctest.h>

#include <string>

using namespace histolab;

namespace {

std::string lists(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("so deep and no deeper") {
  CHECK_FALSE(nests_too_deep(""));
  CHECK_FALSE(nests_too_deep(lists(deepest_nesting)));
  CHECK(nests_too_deep(lists(deepest_nesting + 1)));
  CHECK(nests_too_deep(std::string(1'000'000, '[')));
  CHECK_FALSE(nests_too_deep("{\"a\": " + lists(deepest_nesting - 1) + "}"));
  CHECK(nests_too_deep("{\"a\": " + lists(deepest_nesting) + "}"));
}

TEST_CASE("sibling lists do not add to the nesting depth") {
  std::string text = "[";
  for (int i = 0; i < 1000; ++i) text += "[{}],";
  CHECK_FALSE(nests_too_deep(text + "1]"));
}

TEST_CASE("brackets within strings do not count, whatever escapes precede the quotes") {
  const std::string brackets(1000, '[');
  CHECK_FALSE(nests_too_deep("[\"" + brackets + "\"]"));
  CHECK_FALSE(nests_too_deep("[\"\\\"" + brackets + "\\\\\"]"));
  CHECK(nests_too_deep("[\"\\\\\"," + brackets));
  CHECK_FALSE(nests_too_deep("[\"ends with a backslash\\"));
}
