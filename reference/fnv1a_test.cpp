#include "reference/fnv1a.h"

#include <doctest/doctest.h>

#include <string_view>

namespace histolab::reference {

using namespace std::string_view_literals;

TEST_CASE("the values of the authors' test suite (isthe.com/chongo/tech/comp/fnv)") {
  CHECK(fnv1a(""sv) == 0xcbf29ce484222325);
  CHECK(fnv1a("a"sv) == 0xaf63dc4c8601ec8c);
  CHECK(fnv1a("foobar"sv) == 0x85944171f73967e8);
}

}  // namespace histolab::reference
