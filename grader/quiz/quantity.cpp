#include "grader/quiz/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "grader/words/characters.h"
#include "grader/words/words.h"

namespace histolab::quiz {
namespace {

constexpr std::size_t most_numbers = 1000;  // of a set, after "1-1000" is expanded

// Things that can be counted. Messages use the first word of each group.
const std::vector<std::vector<std::string>>& nouns() {
  static const std::vector<std::vector<std::string>> table = {
      {"atomics", "atomic", "updates", "update", "atomic operations", "atomic operation",
       "atomic ops", "atomic updates", "atomic adds", "additions"},
      {"operations", "operation", "ops", "op", "flop", "flops", "floating-point operations"},
      {"elements", "element", "samples", "sample", "letters", "letter", "characters", "character",
       "chars", "values", "words"},
      {"bytes", "byte", "B"},
      {"bits", "bit", "b"},
      {"sectors", "sector"},
      {"passes", "pass", "wavefronts", "wavefront", "steps", "step"},
      {"threads", "thread", "lanes", "lane"},
      {"warps", "warp"},
      {"blocks", "block"},
      {"bins", "bin"},
      {"copies", "copy"},
      {"clocks", "clock", "cycles", "cycle"},
      {"barriers", "barrier"},
      {"interleavings", "interleaving", "orders", "order"},
      {"times", "x"}};
  return table;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string{text.substr(begin, text.find_last_not_of(" \t") - begin + 1)};
}

// These remove `word` from the end or the start of the text. They return false if it is not there.
bool drop_end(std::string& text, std::string_view word) {
  if (!grader::lower(text).ends_with(word)) return false;
  text = trimmed(std::string_view{text}.substr(0, text.size() - word.size()));
  return true;
}
bool drop_begin(std::string& text, std::string_view word) {
  if (!grader::lower(text).starts_with(word)) return false;
  text = trimmed(std::string_view{text}.substr(word.size()));
  return true;
}

// Returns the noun, or an empty string. Single letters are case-sensitive (B is a byte, b is a
// bit), words are not.
std::string noun_of(const std::string& word) {
  for (const auto& group : nouns())
    for (const std::string& form : group)
      if (word == form || (form.size() > 1 && grader::lower(word) == form)) return group.front();
  return {};
}

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr std::array prefixes = {Prefix{"Ki", 0x1p10}, Prefix{"Mi", 0x1p20}, Prefix{"Gi", 0x1p30},
                                 Prefix{"Ti", 0x1p40}, Prefix{"k", 1e3},     Prefix{"K", 1e3},
                                 Prefix{"M", 1e6},     Prefix{"G", 1e9},     Prefix{"T", 1e12}};
constexpr std::array number_words = {Prefix{"thousand", 1e3}, Prefix{"million", 1e6},
                                     Prefix{"billion", 1e9}, Prefix{"trillion", 1e12}};
constexpr std::array times = {Prefix{"ns", 1},
                              Prefix{"us", 1e3},
                              Prefix{"\xC2\xB5s", 1e3},
                              Prefix{"ms", 1e6},
                              Prefix{"s", 1e9},
                              Prefix{"sec", 1e9},
                              Prefix{"seconds", 1e9},
                              Prefix{"second", 1e9},
                              Prefix{"nanoseconds", 1},
                              Prefix{"nanosecond", 1},
                              Prefix{"microseconds", 1e3},
                              Prefix{"milliseconds", 1e6}};

std::optional<Unit> parse_unit(const std::string& text) {
  std::string rest = trimmed(text);
  Unit unit;
  unit.text = rest;
  if (rest == "%" || grader::lower(rest) == "percent" || grader::lower(rest) == "per cent") {
    unit.kind = Unit::Kind::share;
    unit.factor = 0.01;
    return unit;
  }
  for (const Prefix& time : times)
    if (rest == time.text) {
      unit.kind = Unit::Kind::time;
      unit.factor = time.factor;
      return unit;
    }
  for (const char* end :
       {"per second", "per sec", "/ second", "/second", "/ sec", "/sec", "/ s", "/s", "s^-1"})
    if (unit.kind == Unit::Kind::count && drop_end(rest, end)) unit.kind = Unit::Kind::rate;
  // FLOPS is already a rate, and FLOP/s already has its "/s".
  if (unit.kind == Unit::Kind::count && grader::lower(rest).ends_with("flops"))
    unit.kind = Unit::Kind::rate;

  for (const Prefix& word : number_words)
    if (drop_begin(rest, word.text)) unit.factor *= word.factor;
  if (rest.empty()) return unit;
  unit.noun = noun_of(rest);
  for (const Prefix& prefix : prefixes) {
    if (!unit.noun.empty()) break;
    if (!rest.starts_with(prefix.text)) continue;
    const std::string after = trimmed(std::string_view{rest}.substr(prefix.text.size()));
    unit.noun = noun_of(after);
    if (unit.noun.empty() && !after.empty()) continue;
    unit.factor *= prefix.factor;
    if (after.empty()) return unit;
  }
  if (unit.noun.empty() && grader::lower(rest).ends_with("flops") &&
      // "gflops"
      rest.size() == 6) {
    for (const Prefix& prefix : prefixes)
      if (prefix.text.size() == 1 &&
          grader::lower(rest)[0] == grader::lower(std::string{prefix.text})[0]) {
        unit.noun = "operations";
        unit.factor = prefix.factor;
      }
  }
  if (unit.noun.empty()) return std::nullopt;
  if (unit.noun == "bits") {
    unit.noun = "bytes";
    unit.factor /= 8;
  }
  return unit;
}

// Removes the number at the start of `text` and returns it. Returns nullopt if there is no number,
// or if its digit groups are ambiguous.
std::optional<double> take_number(std::string& text) {
  std::size_t at = 0;
  std::string digits;
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
    if (text[at] == '-') digits = "-";
    ++at;
  }
  // Groups of three digits follow the same separator each time. A comma with other than three
  // digits behind it is a decimal comma.
  const std::size_t begin = at;
  while (at < text.size() && grader::is_digit(text[at])) digits += text[at++];
  const std::size_t first = at - begin;
  const auto three_at = [&](std::size_t from) {
    return from + 3 <= text.size() && grader::is_digit(text[from]) &&
           grader::is_digit(text[from + 1]) && grader::is_digit(text[from + 2]) &&
           (from + 3 == text.size() || !grader::is_digit(text[from + 3]));
  };
  const char separator = at < text.size() ? text[at] : '\0';
  const bool may_be_grouped = first >= 1 && first <= 3 && text[begin] != '0';
  if (may_be_grouped &&
      (separator == ',' || separator == ' ' || separator == '\'' || separator == '_'))
    while (at < text.size() && text[at] == separator && three_at(at + 1)) {
      digits += text.substr(at + 1, 3);
      at += 4;
    }
  const bool was_grouped = at > begin + first;
  if (at < text.size() && ((text[at] == '.' && text.substr(at, 2) != "..") ||
                           (text[at] == ',' && !was_grouped && at + 1 < text.size() &&
                            grader::is_digit(text[at + 1])))) {
    digits += '.';
    ++at;
    const std::size_t fraction = at;
    while (at < text.size() && grader::is_digit(text[at])) digits += text[at++];
    if (first == 0 && at == fraction) return std::nullopt;
  } else if (first == 0) {
    return std::nullopt;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t end = at + 1;
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    if (end < text.size() && grader::is_digit(text[end])) {
      while (end < text.size() && grader::is_digit(text[end])) ++end;
      digits += text.substr(at, end - at);
      at = end;
    }
  }
  if (const std::size_t plus = digits.find('+'); plus != std::string::npos) digits.erase(plus, 1);
  if (digits.empty() || digits == "-") return std::nullopt;
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  text.erase(0, at);
  return value;
}

// Reads "10^7", or after a number "x 10^7" or "* 10^7".
std::optional<double> take_power(std::string& text) {
  std::string rest = trimmed(text);
  std::optional<double> base = take_number(rest);
  if (!base || !rest.starts_with('^')) return std::nullopt;
  rest.erase(0, 1);
  std::optional<double> exponent = take_number(rest);
  if (!exponent) return std::nullopt;
  const double value = std::pow(*base, *exponent);
  if (!std::isfinite(value)) return std::nullopt;
  text = rest;
  return value;
}

std::optional<double> take_value(std::string& text) {
  if (const std::optional<double> power = take_power(text)) return power;
  std::optional<double> value = take_number(text);
  if (!value) return std::nullopt;
  for (const char* product : {"*", "x ", "\xC3\x97", "\xC2\xB7"}) {
    std::string rest = trimmed(text);
    if (!rest.starts_with(product)) continue;
    rest = trimmed(std::string_view{rest}.substr(std::string_view{product}.size()));
    if (const std::optional<double> power = take_power(rest)) {
      text = rest;
      return *value * *power;
    }
  }
  return value;
}

std::string asked_for(const Unit& unit) {
  if (unit.text.empty()) return "a plain number";
  return fmt::format("a number in {}", unit.text);
}

// Returns true if the given unit is acceptable: it has the same kind, and the same noun if both
// have one. A plain factor fits counts and rates, and operations fit atomics.
bool fits(const Unit& given, const Unit& asked) {
  const bool only_a_factor = given.kind == Unit::Kind::count && given.noun.empty();
  if (only_a_factor) return asked.kind == Unit::Kind::count || asked.kind == Unit::Kind::rate;
  if (given.kind != asked.kind) return false;
  if (given.noun.empty() || asked.noun.empty() || given.noun == asked.noun) return true;
  return asked.noun == "atomics" && given.noun == "operations";
}

std::string four_digits(double value) { return fmt::format("{:.4g}", value); }

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 0x1p53; }

}  // namespace

Result<Unit> read_unit(const std::string& text) {
  if (trimmed(text).empty()) return Unit{};
  if (std::optional<Unit> unit = parse_unit(text)) return *unit;
  std::vector<std::string> known;
  for (const auto& group : nouns()) known.push_back(group.front());
  return Error{fmt::format(
      "\"{}\" is not a unit; known units are ns, us, ms, s, %, FLOPS, B/s, and {}, also per "
      "second (/s), with k, M, G or T before it",
      text, fmt::join(known, ", "))};
}

Result<std::vector<double>> read_quantity(const std::string& answer, const Unit& asked) {
  std::string text = trimmed(answer);
  for (const char* sign : {"=", "~", "\xE2\x89\x88"}) drop_begin(text, sign);
  const std::optional<double> value = take_value(text);
  if (!value)
    return Error{
        fmt::format("this does not begin with a number; expected {}, such as 5, 0.123 or 4.56e7",
                    asked_for(asked))};
  const std::string rest = trimmed(text);
  if (rest.empty()) {
    std::vector<double> readings{*value * asked.factor};
    if (asked.factor != 1) readings.push_back(*value);
    return readings;
  }
  const std::optional<Unit> given = parse_unit(rest);
  if (!given)
    return Error{
        fmt::format("\"{}\" after the number is not a known unit; expected {}{}",
                    grader::shortened(rest, 30), asked_for(asked),
                    rest[0] == 'm' && (rest.size() == 1 || rest[1] == ' ' || rest[1] == '/')
                        ? " (a million is M)"
                        : "")};
  if (!fits(*given, asked))
    return Error{fmt::format("{} is the wrong unit; expected {}", grader::shortened(rest, 30),
                             asked_for(asked))};
  return std::vector<double>{*value * given->factor};
}

Result<std::vector<double>> read_numbers(const std::string& answer) {
  std::string text;
  for (const char c : answer)
    text += std::string_view{"{}[](),;"}.find(c) == std::string_view::npos ? c : ' ';
  std::vector<double> numbers;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    if (drop_begin(text, "and ") || drop_begin(text, "or ")) continue;
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string word = text.substr(0, end);
    const std::optional<double> first = take_number(word);
    if (!first)
      return Error{fmt::format("\"{}\" is not a number; expected numbers separated by spaces",
                               grader::shortened(text.substr(0, end), 30))};
    text.erase(0, end);
    std::optional<double> last = first;
    for (const char* to : {"-", "..", "to"})
      if (drop_begin(word, to)) {
        last = take_number(word);
        break;
      }
    // "1 to 3", "1 - 3"
    if (word.empty() && last == first) {
      std::string after = trimmed(text);
      if (drop_begin(after, "to ") || drop_begin(after, "- ") || drop_begin(after, ".. ")) {
        last = take_number(after);
        text = after;
      }
    }
    if (!last || !word.empty())
      return Error{"this was not understood; expected numbers separated by spaces"};
    if (last != first &&
        (!whole(*first) || !whole(*last) || *last < *first || *last - *first >= most_numbers))
      return Error{
          fmt::format("a range goes from a whole number up to a larger one, and holds at most {}",
                      most_numbers)};
    numbers.push_back(*first);
    for (double number = *first + 1;
         number <= *last && last != first && numbers.size() <= most_numbers; ++number)
      numbers.push_back(number);
    if (numbers.size() > most_numbers)
      return Error{fmt::format("there are more than {} numbers", most_numbers)};
  }
  if (numbers.empty()) return Error{"it contains no number; expected numbers separated by spaces"};
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string written(double value) {
  const std::string sign = value < 0 ? "-" : "";
  const double size = std::abs(value);
  if (whole(size))
    return sign + (size < 10000 ? fmt::format("{:.0f}", size)
                                : grader::grouped(static_cast<std::uint64_t>(size)));
  if (size >= 10000 && size < 0x1p53)
    return sign + grader::grouped(static_cast<std::uint64_t>(std::llround(size)));
  return sign + four_digits(size);
}

std::string written(double value, const Unit& unit) {
  const bool glued = unit.text == "B/s" || grader::lower(unit.text) == "flops";
  if (unit.kind == Unit::Kind::rate && unit.factor == 1) {
    for (const Prefix& prefix :
         {Prefix{"T", 1e12}, Prefix{"G", 1e9}, Prefix{"M", 1e6}, Prefix{"k", 1e3}})
      if (std::abs(value) >= prefix.factor)
        return fmt::format("{} {}{}{}", four_digits(value / prefix.factor), prefix.text,
                           glued ? "" : " ", unit.text);
  }
  const std::string number = written(value / unit.factor);
  return unit.text.empty() ? number : fmt::format("{} {}", number, unit.text);
}

}  // namespace histolab::quiz
