#include "reference/result.h"

#include <doctest/doctest.h>

#include <memory>

namespace histolab {
namespace {

Result<std::unique_ptr<int>> halve(int number) {
  if (number % 2 != 0) return Error{"an odd number"};
  return std::make_unique<int>(number / 2);
}

Status check(bool good) {
  if (!good) return Error{"not good"};
  return Done{};
}

TEST_CASE("a Result holds a value or an error") {
  auto good = halve(6);
  REQUIRE(good.ok());
  CHECK(**good == 3);
  auto moved = std::move(good).value();
  CHECK(*moved == 3);
  const auto bad = halve(7);
  CHECK_FALSE(bool(bad));
  CHECK(bad.error().message == "an odd number");
}

TEST_CASE("a Result of strings distinguishes a value from an error") {
  const Result<std::string> value = std::string("fine"), error = Error{"fine"};
  CHECK(value.ok());
  CHECK(value->size() == 4);
  CHECK_FALSE(error.ok());
}

TEST_CASE("a Status is either ok or an error with a reason") {
  CHECK(check(true).ok());
  CHECK(check(false).error().message == "not good");
}

}  // namespace
}  // namespace histolab
