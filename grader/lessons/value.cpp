#include "grader/lessons/value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "grader/words/words.h"

namespace histolab::grader::lessons {
namespace {

constexpr double largest = 1e15;  // a double can represent every whole number up to this one

std::string in_full(double number) { return grouped_value(std::round(number)); }

std::string decimals(double number, int places) {
  if (places <= 0 && std::abs(number) >= 9999.5) return in_full(number);
  return fmt::format("{:.{}f}", number, std::max(places, 0));
}

// Returns the position of the first digit: 0 for 1 to 9, -1 for 0.1 to 0.9. Rounding comes first:
// 9.97 with two digits is 10.
int exponent(double number, int digits) {
  if (number == 0) return 0;
  const int raw = static_cast<int>(std::floor(std::log10(std::abs(number))));
  const double scale = std::pow(10.0, digits - 1 - raw);
  return std::round(std::abs(number) * scale) >= std::pow(10.0, digits) ? raw + 1 : raw;
}

std::string significant(double number, int digits) {
  return decimals(number, digits - 1 - exponent(number, digits));
}

std::string one(double number, const Format& format) {
  switch (format.kind) {
    case Format::Kind::natural:
      return number == std::round(number) ? in_full(number) : significant(number, 2);
    case Format::Kind::digits: return significant(number, format.places);
    case Format::Kind::decimals: return decimals(number, format.places);
    case Format::Kind::about: {
      const double unit = std::pow(10.0, exponent(number, format.places) - format.places + 1);
      return significant(std::round(number / unit) * unit, format.places);
    }
    case Format::Kind::whole: return in_full(number);
    case Format::Kind::percent: return significant(100 * number, format.places) + " %";
    case Format::Kind::times: return significant(number, format.places) + " times";
  }
  return {};
}

}  // namespace

Result<Format> parse_format(std::span<const std::string> words) {
  struct Word {
    const char* name;
    Format::Kind kind;
    bool may_stand_alone, number_first;
  };
  static constexpr Word known[] = {{"digits", Format::Kind::digits, false, true},
                                   {"decimals", Format::Kind::decimals, false, true},
                                   {"about", Format::Kind::about, false, false},
                                   {"whole", Format::Kind::whole, true, true},
                                   {"percent", Format::Kind::percent, true, true},
                                   {"times", Format::Kind::times, true, true}};
  for (const Word& word : known) {
    if (words.size() == 1 && word.may_stand_alone && words[0] == word.name)
      return Format{word.kind, 2};
    if (words.size() != 2 || words[word.number_first ? 1 : 0] != word.name ||
        word.kind == Format::Kind::whole)
      continue;
    const std::string& number = words[word.number_first ? 0 : 1];
    if (number.size() == 1 && number[0] >= '0' && number[0] <= '9')
      return Format{word.kind, number[0] - '0'};
  }
  std::string given;
  for (const std::string& word : words) given += " " + word;
  return Error{
      fmt::format("\"as{}\" is not a format; use \"as 3 digits\", \"as 1 decimals\", \"as about "
                  "2\", \"as whole\", \"as percent\" or \"as times\"",
                  given)};
}

Result<std::string> to_text(const Value& value, const std::optional<Format>& format) {
  if (value.is_text())
    return format ? Result<std::string>{Error{"a text cannot have a format"}} : value.text;
  std::string out;
  for (const double number : value.numbers) {
    if (!std::isfinite(number) || std::abs(number) > largest)
      return Error{fmt::format("the value is {}", number)};
    out += (out.empty() ? "" : " | ") + one(number, format.value_or(Format{}));
  }
  return out;
}

std::optional<double> parse_number(const std::string& word) {
  const std::size_t power = word.find('^');
  if (power != std::string::npos) {
    const auto base = parse_number(word.substr(0, power)),
               by = parse_number(word.substr(power + 1));
    return base && by ? std::optional{std::pow(*base, *by)} : std::nullopt;
  }
  double number = 0;
  const char* end = word.data() + word.size();
  const auto [stopped, failure] =
      std::from_chars(word.data(), end, number, std::chars_format::fixed);
  if (failure != std::errc{} || stopped != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace histolab::grader::lessons
