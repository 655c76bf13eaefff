#include "grader/sandbox/user_number.h"

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "kernels/worker/testing/from_child.h"

namespace histolab::sandbox {
namespace {

constexpr std::uint32_t first = 60578, count = 600;

TEST_CASE("a number that is held is not given to another") {
  std::vector<UserNumber> held;
  std::set<std::uint32_t> numbers;
  for (int at = 0; at < 40;
       ++at) {  // of 600: beginning anywhere, two would meet with a probability of 0.74
    Result<UserNumber> taken = UserNumber::take();
    REQUIRE(taken);
    numbers.insert(taken->get());
    held.push_back(std::move(*taken));
  }
  CHECK_EQ(numbers.size(), held.size());
  CHECK_GE(*numbers.begin(), first);
  CHECK_LT(*numbers.rbegin(), first + count);
}

TEST_CASE("numbers that were held are free again: there would not be enough otherwise") {
  for (int at = 0; at < 1300; ++at) REQUIRE(UserNumber::take());
}

TEST_CASE("each of the numbers is given to somebody, and then they are shared") {
  // Where nobody else has one of them, nor would miss one: the names of sockets are a network's.
  const std::string told = kernels::testing::from_child([]() -> std::string {
    if (unshare(CLONE_NEWNET) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
      return "no network of its own";
    std::vector<UserNumber> held;
    std::set<std::uint32_t> numbers;
    for (std::uint32_t at = 0; at < count + 20; ++at) {
      Result<UserNumber> taken = UserNumber::take();
      if (!taken) return taken.error().message;
      numbers.insert(taken->get());
      held.push_back(std::move(*taken));
      if (numbers.size() != std::min(at + 1, count))
        return "number " + std::to_string(at) + " is " + std::to_string(taken->get());
    }
    return std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin());
  });
  if (told == "no network of its own")
    MESSAGE("skipped: this machine does not allow a network namespace");
  else
    CHECK_EQ(told, "60578 to 61177");
}

}  // namespace
}  // namespace histolab::sandbox
