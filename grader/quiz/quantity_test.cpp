#include "grader/quiz/quantity.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace histolab;
using namespace histolab::quiz;

namespace {

Unit unit(const std::string& text) {
  Result<Unit> read = read_unit(text);
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().message));
  return *read;
}

// Returns true if `value` is one of the readings of `text`.
bool reads(const std::string& text, const std::string& asked, double value,
           double tolerance = 1e-9) {
  const Result<std::vector<double>> read = read_quantity(text, unit(asked));
  if (!read) return false;
  return std::any_of(read->begin(), read->end(),
                     [&](double got) { return got == doctest::Approx(value).epsilon(tolerance); });
}

std::string refusal(const std::string& text, const std::string& asked) {
  const Result<std::vector<double>> read = read_quantity(text, unit(asked));
  return read ? "" : read.error().message;
}

}  // namespace

TEST_CASE("ten million per second in many notations") {
  for (const char* text : {"10000000",
                           "10 000 000",
                           "10,000,000",
                           "10'000'000",
                           "10_000_000",
                           "1e7",
                           "1E7",
                           "1e+7",
                           "10^7",
                           "1 * 10^7",
                           "1x 10^7",
                           "1.0 \xC3\x97 10^7",
                           "0.01e9",
                           "10 M",
                           "10M",
                           "0.01 G",
                           "0.01G",
                           "10 M/s",
                           "10M/s",
                           "0.01 G/s",
                           "10 M atomics/s",
                           "10 Matomics/s",
                           "10 million",
                           "10 million/s",
                           "10 million atomics per second",
                           "0.01 G atomics / s",
                           "10 M updates/s",
                           "10 Mops/s",
                           "1e7 atomic operations per second",
                           "  =  1e7 /s ",
                           "~10 M/s",
                           "+1e7",
                           "10000 k/s",
                           "0,01 G/s",
                           ".01 G/s",
                           "10. M"})
    CHECK_MESSAGE(reads(text, "atomics/s", 1e7), std::string{text});
}

TEST_CASE("units of bytes, operations, time, shares and counts") {
  CHECK(reads("128 GB/s", "B/s", 128e9));
  CHECK(reads("128", "GB/s", 128e9));
  // A number without a unit may lack the prefix.
  CHECK(reads("128e9", "GB/s", 128e9));
  CHECK(reads("1024 Gbit/s", "GB/s", 128e9));
  CHECK(reads("1 GiB/s", "GB/s", 1073741824));
  CHECK(reads("0.05", "GFLOPS", 0.05e9));
  CHECK(reads("50 MFLOPS", "GFLOPS", 0.05e9));
  CHECK(reads("50 mflops", "GFLOPS", 0.05e9));
  CHECK(reads("0.05 GFLOP/s", "GFLOPS", 0.05e9));
  CHECK(reads("0.05 G operations/s", "GFLOPS", 0.05e9));
  CHECK(reads("13.6 ns", "ns", 13.6));
  CHECK(reads("0.0136 us", "ns", 13.6));
  CHECK(reads("13.6e-9 s", "ns", 13.6));
  CHECK(reads("13.6", "ns", 13.6));
  CHECK(reads("2 us", "us", 2000));
  CHECK(reads("50 %", "%", 0.5));
  CHECK(reads("50%", "%", 0.5));
  CHECK(reads("50", "%", 0.5));
  CHECK(reads("0.5", "%", 0.5));
  CHECK(reads("50 percent", "%", 0.5));
  CHECK(reads("496", "", 496));
  CHECK(reads("16,387 atomics", "atomics", 16387));
  CHECK(reads("16 Ki", "elements", 16384));
  CHECK(reads("2^20", "elements", 1048576));
  CHECK(reads("-30", "", -30));
}

TEST_CASE("wrong and unknown units are reported") {
  CHECK(refusal("128 GHz", "GB/s").find("\"GHz\" after the number is not a known unit") !=
        std::string::npos);
  CHECK(refusal("10 M", "%").find("wrong unit; expected a number in %") != std::string::npos);
  CHECK(
      refusal("10 ns", "atomics/s").find("ns is the wrong unit; expected a number in atomics/s") !=
      std::string::npos);
  CHECK(refusal("10 M atomics", "atomics/s").find("wrong unit") != std::string::npos);
  CHECK(refusal("10 GB/s", "atomics/s").find("wrong unit") != std::string::npos);
  CHECK(refusal("10 m/s", "atomics/s").find("a million is M") != std::string::npos);
  CHECK(refusal("10 m", "atomics/s").find("a million is M") != std::string::npos);
  CHECK(refusal("10 seconds", "atomics/s").find("wrong unit") != std::string::npos);
  CHECK(refusal("32 G elements/s", "GB/s").find("wrong unit") != std::string::npos);
  CHECK(refusal("5 M", "ns").find("wrong unit") != std::string::npos);
}

TEST_CASE("nonsense is not read as a number") {
  for (const char* text : {"",
                           " ",
                           "x",
                           "M",
                           "-",
                           "+",
                           ".",
                           ",",
                           "e7",
                           "nan",
                           "inf",
                           "-inf",
                           "1e999",
                           "0x10",
                           "1e",
                           "1 2",
                           "10,00,000",
                           "1,2,3",
                           "1..2",
                           "--1",
                           "1,000.5.5",
                           "10^",
                           "10^999999",
                           "1/0",
                           "\xff\xfe",
                           "12 \xff",
                           "9999999999999999999999e999999",
                           "NULL",
                           "'; drop table",
                           "{}",
                           "1 000 00"})
    CHECK_MESSAGE(!read_quantity(text, unit("atomics/s")).ok(), std::string{text});
  CHECK_FALSE(read_quantity(std::string(100000, '9'), unit("")).ok());
  CHECK_FALSE(read_quantity(std::string(100000, ' ') + "x", unit("")).ok());
  CHECK(reads("1,5", "", 1.5));
  // A digit group cannot begin with a zero.
  CHECK(reads("0,075", "", 0.075));
  CHECK(reads("1,234", "", 1234));
}

TEST_CASE("sets of numbers") {
  const auto read = [](const std::string& text) {
    const Result<std::vector<double>> numbers = read_numbers(text);
    return numbers ? *numbers : std::vector<double>{};
  };
  const std::vector<double> three{1, 2, 3};
  for (const char* text :
       {"1 2 3", "1,2,3", "1, 2, 3", "3 2 1", "{1, 2, 3}", "1;2;3", "1 2 and 3", "1, 2 or 3", "1-3",
        "1..3", "1 to 3", "1 - 3", "[1 2] 3", " 1  2  3 ", "1 1 2 3"})
    CHECK_MESSAGE(read(text) == three, std::string{text});
  CHECK(read("-30 70") == std::vector<double>{-30, 70});
  CHECK(read("1e16") == std::vector<double>{1e16});
  CHECK(read("12-15") == std::vector<double>{12, 13, 14, 15});
  for (const char* text : {"", "one", "1 two", "1-", "3-1", "1-2-3", "1.5-3", "0-1000000000",
                           "1e9 to 2e9", "-", "and", "1 2 x"})
    CHECK_MESSAGE(read(text).empty(), std::string{text});
}

TEST_CASE("written quantities are read again") {
  CHECK(written(1e7, unit("atomics/s")) == "10 M atomics/s");
  CHECK(written(73529411.76, unit("atomics/s")) == "73.53 M atomics/s");
  CHECK(written(128e9, unit("B/s")) == "128 GB/s");
  CHECK(written(0.05e9, unit("GFLOPS")) == "0.05 GFLOPS");
  CHECK(written(4.545e9, unit("FLOPS")) == "4.545 GFLOPS");
  CHECK(written(0.5, unit("%")) == "50 %");
  CHECK(written(13.6, unit("ns")) == "13.6 ns");
  CHECK(written(16387, unit("atomics")) == "16 387 atomics");
  CHECK(written(496, unit("")) == "496");
  CHECK(written(-30, unit("")) == "-30");
  for (const char* each : {"atomics/s", "B/s", "GB/s", "GFLOPS", "FLOPS", "ns", "us", "%",
                           "sectors", "", "G elements/s"})
    for (const double value :
         {0.5, 1.0, 13.6, 496.0, 9999.0, 10000.0, 123456.0, 17.5e6, 2.5e9, 128e9, 4e12})
      CHECK_MESSAGE(reads(written(value, unit(each)), each, value, 1e-3),
                    written(value, unit(each)));
}

TEST_CASE("an unknown unit is an error of the quiz") {
  for (const char* text : {"furlongs", "G", "Hz", "atomics/min"}) {
    const Result<Unit> read = read_unit(text);
    if (std::string{text} == "G")
      CHECK(read.ok());
    else
      CHECK_FALSE(read.ok());
  }
}
