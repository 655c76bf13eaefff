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

TEST_CASE("a number in use is not given out again") {
  std::vector<UserNumber> held;
  std::set<std::uint32_t> numbers;
  // Of 600: with random starts, two would collide with a probability of 0.74.
  for (int at = 0; at < 40; ++at) {
    Result<UserNumber> taken = UserNumber::take();
    REQUIRE(taken);
    numbers.insert(taken->get());
    held.push_back(std::move(*taken));
  }
  CHECK_EQ(numbers.size(), held.size());
  CHECK_GE(*numbers.begin(), first);
  CHECK_LT(*numbers.rbegin(), first + count);
}

TEST_CASE("released numbers are free again: otherwise there would not be enough") {
  for (int at = 0; at < 1300; ++at) REQUIRE(UserNumber::take());
}

TEST_CASE("every number is given out, and then they are shared") {
  // In a network namespace of our own no other process holds a number or needs one: socket names
  // belong to the network namespace.
  const std::string report = kernels::testing::from_child([]() -> std::string {
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
  if (report == "no network of its own")
    MESSAGE("skipped: this machine does not allow a network namespace");
  else
    CHECK_EQ(report, "60578 to 61177");
}

}  // namespace
}  // namespace histolab::sandbox
