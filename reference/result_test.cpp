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

Result<int> quarter(int number) { return *TRY(halve(*TRY(halve(number)))); }

Status check_quarter(int number, int expected) {
  TRY(check(TRY(quarter(number)) == expected));
  return Done{};
}

TEST_CASE("TRY yields the value by move, also within another TRY") {
  CHECK(*quarter(12) == 3);
  CHECK(check_quarter(12, 3).ok());
}

TEST_CASE("TRY returns the first error from the calling function") {
  CHECK(quarter(7).error().message == "an odd number");
  CHECK(quarter(6).error().message == "an odd number");
  CHECK(check_quarter(6, 3).error().message == "an odd number");
  CHECK(check_quarter(12, 4).error().message == "not good");
}

TEST_CASE("TRY evaluates its expression once and copies a named Result") {
  int calls = 0;
  const auto count = [&]() -> Result<int> { return ++calls; };
  const Result<std::string> named = std::string("still here");
  const auto both = [&]() -> Result<std::string> {
    return TRY(named) + std::to_string(TRY(count()));
  };
  CHECK(*both() == "still here1");
  CHECK(*named == "still here");
}

}  // namespace
}  // namespace histolab
