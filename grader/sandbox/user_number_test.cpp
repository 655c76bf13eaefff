#include "grader/sandbox/user_number.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace histolab::sandbox {
namespace {

TEST_CASE("a number that is held is not given to another") {
  std::vector<UserNumber> held;
  std::set<std::uint32_t> numbers;
  for (int at = 0; at < 40; ++at) {  // of 600: beginning anywhere, two would meet with a probability of 0.74
    Result<UserNumber> taken = UserNumber::take();
    REQUIRE(taken);
    numbers.insert(taken->get());
    held.push_back(std::move(*taken));
  }
  CHECK_EQ(numbers.size(), held.size());
  CHECK_GE(*numbers.begin(), 60578);
  CHECK_LT(*numbers.rbegin(), 60578 + 600);
}

TEST_CASE("numbers that were held are free again: there would not be enough otherwise") {
  for (int at = 0; at < 1300; ++at) REQUIRE(UserNumber::take());
}

}  // namespace
}  // namespace histolab::sandbox
