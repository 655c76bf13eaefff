#include "grader/lessons/value.h"

#include <doctest/doctest.h>

#include "grader/lessons/expression.h"

using namespace histolab::grader::lessons;

namespace {

std::string shown(double number, const std::vector<std::string>& format = {}) {
  if (format.empty()) return *to_text({{number}, {}}, std::nullopt);
  const auto parsed = parse_format(format);
  REQUIRE_MESSAGE(parsed.ok(), format[0]);
  return *to_text({{number}, {}}, *parsed);
}

}  // namespace

TEST_CASE("without a format, whole numbers are shown in full and others with two digits") {
  CHECK(shown(7938) == "7 938");
  CHECK(shown(0) == "0");
  CHECK(shown(5.4321) == "5.4");
  CHECK(shown(9.97) == "10");
  CHECK(shown(1515.4) == "1515");
  CHECK(shown(0.6712) == "0.67");
}

TEST_CASE("formats") {
  CHECK(shown(4561.51, {"3", "digits"}) == "4562");
  CHECK(shown(12345.6, {"3", "digits"}) == "12 346");
  CHECK(shown(1.2696, {"3", "digits"}) == "1.27");
  CHECK(shown(99.977, {"2", "decimals"}) == "99.98");
  CHECK(shown(468.2, {"about", "2"}) == "470");
  CHECK(shown(0.0468, {"about", "1"}) == "0.05");
  CHECK(shown(1234567.8, {"whole"}) == "1 234 568");
  CHECK(shown(0.1534, {"percent"}) == "15 %");
  CHECK(shown(0.1534, {"3", "percent"}) == "15.3 %");
  CHECK(shown(58.3, {"times"}) == "58 times");
  CHECK(shown(2.346, {"3", "times"}) == "2.35 times");
  CHECK(shown(-3.14159, {"3", "digits"}) == "-3.14");
  CHECK(*to_text({{1.5, 2.25}, {}}, std::nullopt) == "1.5 | 2.2");
}

TEST_CASE("a text has no format") {
  CHECK_FALSE(parse_format(std::vector<std::string>{"fancy"}).ok());
  CHECK_FALSE(parse_format(std::vector<std::string>{"digits"}).ok());
  CHECK_FALSE(parse_format(std::vector<std::string>{"12", "digits"}).ok());
  CHECK_FALSE(parse_format({}).ok());
  CHECK(to_text({{}, "text"}, std::nullopt).value() == "text");
  CHECK_FALSE(to_text({{}, "text"}, Format{}).ok());
  CHECK_FALSE(to_text({{1.0 / 0.0}, {}}, std::nullopt).ok());
}

TEST_CASE("numbers are read in the usual notations") {
  CHECK(parse_number("2^28") == 268435456.0);
  CHECK(parse_number("1.98") == 1.98);
  CHECK_FALSE(parse_number("1e5").has_value());
  CHECK_FALSE(parse_number("seven").has_value());
  CHECK_FALSE(parse_number("").has_value());
}

TEST_CASE("an expression is parsed into its parts") {
  const auto plain =
      parse_expression(" measured f kernel=a strategy=\"copies, 32 copies\" speed as 3 digits ");
  REQUIRE(plain.ok());
  CHECK(plain->operands == std::vector<Words>{{"measured", "f", "kernel=a",
                                               "strategy=\"copies, 32 copies\"", "speed"}});
  CHECK(plain->format->kind == Format::Kind::digits);
  const auto let = parse_expression("let gain = shared dataset=runs / global.runs");
  REQUIRE(let.ok());
  CHECK(let->name == "gain");
  CHECK(let->operands == std::vector<Words>{{"shared", "dataset=runs"}, {"global.runs"}});
  CHECK(let->operators == "/");
  CHECK(parse_expression("given 33 as it is")->operands ==
        std::vector<Words>{{"given", "33", "as", "it", "is"}});
  for (const char* wrong :
       {"", "a /", "/ a", "let x", "let 3x = a", "let x = a as times", "a as fancy", "a \"b"})
    CHECK_FALSE_MESSAGE(parse_expression(wrong).ok(), wrong);
}

TEST_CASE("a condition has one or more values") {
  CHECK(parse_condition("bins=7,8")->values == std::vector<std::string>{"7", "8"});
  CHECK(parse_condition("strategy=\"copies, 32 copies\"")->values ==
        std::vector<std::string>{"copies, 32 copies"});
  CHECK_FALSE(parse_condition("bins").has_value());
  CHECK_FALSE(parse_condition("=7").has_value());
}
