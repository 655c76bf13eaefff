// Lenient reading of JSON from other programs: a missing key or a value of another type gives the
// fallback.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "reference/nesting.h"

namespace histolab::viewer {

using Json = nlohmann::json;

// Returns the parsed text. Returns a discarded value if the text is not JSON, or is nested so
// deeply that reading it would overflow the stack.
[[nodiscard]] inline Json parsed(std::string_view text) {
  return nests_too_deep(text) ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

// Returns the value at `key`, or null if it is missing.
[[nodiscard]] inline const Json& at(const Json& object, const char* key) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

[[nodiscard]] inline std::string text(const Json& object, const char* key) {
  const Json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

template <class T>
[[nodiscard]] T number_of(const Json& value, T fallback = {}) {
  if (!value.is_number()) return fallback;
  // Converting a number outside T's range is undefined behaviour.
  if constexpr (std::is_integral_v<T>) {
    const double approximate = value.get<double>();
    // The largest value plus one is a power of two, which a double represents exactly. The largest
    // value itself may be inexact.
    constexpr double beyond =
        2.0 * static_cast<double>(T{1} << (std::numeric_limits<T>::digits - 1));
    if (!(approximate >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
          approximate < beyond))
      return fallback;
  }
  return value.get<T>();
}

template <class T>
[[nodiscard]] T number(const Json& object, const char* key, T fallback = {}) {
  return number_of<T>(at(object, key), fallback);
}

[[nodiscard]] inline bool flag(const Json& object, const char* key) {
  const Json& value = at(object, key);
  return value.is_boolean() && value.get<bool>();
}

// Returns the numbers of an array, with 0 for other values.
template <class T>
[[nodiscard]] std::vector<T> numbers(const Json& object, const char* key) {
  std::vector<T> all;
  const Json& value = at(object, key);
  if (!value.is_array()) return all;
  all.reserve(value.size());
  for (const Json& each : value) all.push_back(number_of<T>(each));
  return all;
}

// Returns the strings of an array and skips other values.
[[nodiscard]] inline std::vector<std::string> texts(const Json& object, const char* key) {
  std::vector<std::string> all;
  const Json& value = at(object, key);
  if (!value.is_array()) return all;
  for (const Json& each : value)
    if (each.is_string()) all.push_back(each.get<std::string>());
  return all;
}

}  // namespace histolab::viewer
