#include "grader/files/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/files/read_file.h"
#include "grader/words/words.h"
#include "reference/nesting.h"

namespace histolab::grader {
namespace {

std::string shown(const Json& value) {
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace), 40);
}

// "line:column" of a byte offset, both from 1.
std::string place(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  const auto line = 1 + std::count(text.begin(), end, '\n');
  const auto start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return fmt::format("{}:{}", line, 1 + (end - start));
}

// nlohmann's message without its prefix and position: the part after the dash in
// "... - unexpected ']'; expected ...".
std::string reason(const std::string& what) {
  const std::size_t dash = what.find(" - ");
  return dash == std::string::npos ? what : what.substr(dash + 3);
}

const Json& nothing() {
  static const Json value = Json::object();
  return value;
}

}  // namespace

void Problems::keep(std::size_t at, const std::string& pointer, const std::string& text) {
  constexpr std::size_t most_shown = 4;
  ++count_;
  const bool follows = std::ranges::any_of(
      first_, [&](const Problem& each) { return pointer.starts_with(each.pointer + "/"); });
  if (at >= most_shown || follows) return;
  first_.insert(first_.begin() + static_cast<std::ptrdiff_t>(std::min(at, first_.size())),
                {pointer, text});
  if (first_.size() > most_shown) first_.pop_back();
}

void Problems::add(const std::string& pointer, const std::string& text) {
  keep(first_.size(), pointer, text);
}

void Problems::add_misspelt(const std::string& pointer, const std::string& text) {
  keep(misspelt_++, pointer, text);
}

Error Problems::error() const {
  const std::size_t more = count_ - first_.size();
  std::vector<std::string> shown;
  for (const Problem& each : first_)
    shown.push_back(fmt::format("{}: {}", each.pointer.empty() ? "/" : each.pointer, each.text));
  return Error{
      fmt::format("{}: {}{}", file_, fmt::join(shown, "; "),
                  more == 0 ? "" : fmt::format(" (and {} more)", counted(more, "problem")))};
}

Status check_nesting(std::string_view text, const std::string& name) {
  if (!nests_too_deep(text)) return Done{};
  return Error{
      fmt::format("{}: lists and objects are nested more than {} deep", name, deepest_nesting)};
}

Result<Json> read_json_file(const std::string& path, const std::string& what) {
  return read_json_text(path, TRY(read_text_file(path, what)));
}

Result<Json> read_json_text(const std::string& path, const std::string& text) {
  TRY(check_nesting(text, path));
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key &&
        !keys.back().insert(parsed.get<std::string>()).second && twice.empty())
      twice = parsed.get<std::string>();
    return true;
  };
  try {
    Json value = Json::parse(text, watch);
    if (!twice.empty())
      return Error{fmt::format("{}: the key \"{}\" occurs twice in one object", path, twice)};
    return value;
  } catch (const Json::parse_error& error) {
    const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
    return Error{
        fmt::format("{}:{}: not valid JSON: {}", path, place(text, byte), reason(error.what()))};
  } catch (const Json::exception& error) {  // a number outside the range of double
    return Error{fmt::format("{}: cannot be read: {}", path, reason(error.what()))};
  }
}

ObjectReader::ObjectReader(const Json& value, std::string pointer, Problems& problems)
    : value_(value.is_object() ? value : nothing()),
      pointer_(std::move(pointer)),
      problems_(problems) {
  if (!value.is_object())
    problems_.add(pointer_, fmt::format("expected an object, found {}", shown(value)));
}

bool ObjectReader::has(const std::string& key) {
  known_.insert(key);
  return value_.contains(key);
}

const Json* ObjectReader::find(const std::string& key, bool required, const char* expected) {
  known_.insert(key);
  const auto found = value_.find(key);
  if (found != value_.end()) return &*found;
  if (required) problem(key, fmt::format("is missing; expected {}", expected));
  return nullptr;
}

std::string ObjectReader::text(const std::string& key) {
  const Json* value = find(key, true, "a string");
  if (value == nullptr) return {};
  if (value->is_string() && !value->get_ref<const std::string&>().empty())
    return value->get<std::string>();
  problem(key, fmt::format("expected a string, found {}", shown(*value)));
  return {};
}

std::string ObjectReader::text_or(const std::string& key, std::string fallback) {
  known_.insert(key);
  return has(key) ? text(key) : fallback;
}

long long ObjectReader::integer(const std::string& key, long long min, long long max) {
  const std::string expected = fmt::format("a whole number from {} to {}", min, max);
  const Json* value = find(key, true, expected.c_str());
  if (value == nullptr) return min;
  // An unsigned number above the signed range would become negative.
  const bool whole = value->is_number_integer() &&
                     !(value->is_number_unsigned() &&
                       value->get<unsigned long long>() > static_cast<unsigned long long>(max));
  if (whole && value->get<long long>() >= min && value->get<long long>() <= max)
    return value->get<long long>();
  problem(key, fmt::format("expected {}, found {}", expected, shown(*value)));
  return min;
}

long long ObjectReader::integer_or(const std::string& key, long long fallback, long long min,
                                   long long max) {
  known_.insert(key);
  return has(key) ? integer(key, min, max) : fallback;
}

double ObjectReader::number_or(const std::string& key, double fallback) {
  const Json* value = find(key, false, "");
  if (value == nullptr) return fallback;
  if (value->is_number() && std::isfinite(value->get<double>()) && value->get<double>() >= 0)
    return value->get<double>();
  problem(key, fmt::format("expected a non-negative number, found {}", shown(*value)));
  return fallback;
}

bool ObjectReader::boolean_or(const std::string& key, bool fallback) {
  const Json* value = find(key, false, "");
  if (value == nullptr) return fallback;
  if (value->is_boolean()) return value->get<bool>();
  problem(key, fmt::format("expected true or false, found {}", shown(*value)));
  return fallback;
}

const Json& ObjectReader::object(const std::string& key) {
  const Json* value = find(key, true, "an object");
  return value == nullptr ? nothing() : *value;
}

const Json& ObjectReader::map(const std::string& key) {
  const Json& value = object(key);
  if (value.is_object()) return value;
  problem(key, fmt::format("expected an object, found {}", shown(value)));
  return nothing();
}

std::vector<Json> ObjectReader::array(const std::string& key, bool required) {
  const Json* value = find(key, required, "an array");
  if (value == nullptr) return {};
  if (!value->is_array()) {
    problem(key, fmt::format("expected an array, found {}", shown(*value)));
    return {};
  }
  if (required && value->empty()) problem(key, "expected a non-empty array");
  return {value->begin(), value->end()};
}

std::vector<std::string> ObjectReader::words(const std::string& key, bool required) {
  std::vector<std::string> found;
  std::size_t index = 0;
  for (const Json& value : array(key, required)) {
    if (value.is_string() && !value.get_ref<const std::string&>().empty())
      found.push_back(value.get<std::string>());
    else
      problem(fmt::format("{}/{}", key, index),
              fmt::format("expected a string, found {}", shown(value)));
    ++index;
  }
  return found;
}

void ObjectReader::unknown_word(const std::string& key, const std::string& word,
                                const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  problem(key, near.empty() ? fmt::format("unknown word \"{}\"; expected one of {}", word,
                                          fmt::join(known, ", "))
                            : fmt::format("unknown word \"{}\"; did you mean {}?", word, near));
}

void ObjectReader::done() {
  const std::vector<std::string> known{known_.begin(), known_.end()};
  for (const auto& item : value_.items()) {
    if (known_.contains(item.key())) continue;
    const std::string near = nearest(item.key(), known);
    if (near.empty())
      problem(item.key(), known.empty()
                              ? "is not a key of this object"
                              : fmt::format("is not a key of this object; its keys are {}",
                                            fmt::join(known, ", ")));
    else
      problems_.add_misspelt(fmt::format("{}/{}", pointer_, item.key()),
                             fmt::format("is not a key of this object; did you mean {}?", near));
  }
}

}  // namespace histolab::grader
