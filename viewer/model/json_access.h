// Lenient reading of JSON from other programs: a missing key or a value of another type gives the
// fallback. Each text is made harmless() here, once, unless it is read as an exact one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/words/words.h"
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

// Returns a text that is compared or opened. Only text() may be drawn.
[[nodiscard]] inline std::string exact_text(const Json& object, const char* key) {
  const Json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}
[[nodiscard]] inline std::string text(const Json& object, const char* key) {
  return grader::harmless(exact_text(object, key));
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

// Reads a value by its description (reference/fields.h). A value that is missing or of another type
// keeps what it was. A list or a map has at most `most` items; the others are ignored.
class Lenient {
 public:
  static constexpr bool writes = false;
  explicit Lenient(const Json& object) : object_(object) {}

  void operator()(const char* key, auto& value, std::size_t most = SIZE_MAX) const {
    read(at(object_, key), value, most);
  }
  void if_set(const char* key, auto& value) const { (*this)(key, value); }
  void exact(const char* key, std::string& value) const {
    if (const Json& json = at(object_, key); json.is_string()) json.get_to(value);
  }
  void group(const char* key, auto&& describe) const {
    Lenient inside(at(object_, key));
    describe(inside);
  }
  template <class T>
  static void read(const Json& json, T& value, std::size_t most = SIZE_MAX) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (json.is_string()) value = grader::harmless(json.get_ref<const std::string&>());
    } else if constexpr (std::is_same_v<T, bool>) {
      if (json.is_boolean()) json.get_to(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = number_of<T>(json, value);
    } else if constexpr (requires { value.has_value(); }) {
      using Inner = std::remove_reference_t<decltype(*value)>;
      if (std::is_arithmetic_v<Inner> ? json.is_number() : json.is_object())
        read(json, value.emplace());
    } else if constexpr (requires { value.emplace_back(); }) {
      if (!json.is_array()) return;
      value.reserve(std::min(json.size(), most));
      for (std::size_t i = 0; i < json.size() && i < most; ++i) read(json[i], value.emplace_back());
    } else if constexpr (requires { value.fill({}); }) {
      for (std::size_t i = 0; json.is_array() && i < json.size() && i < value.size(); ++i)
        read(json[i], value[i]);
    } else if constexpr (requires { value[std::string{}]; }) {
      if (!json.is_object()) return;
      for (const auto& [name, item] : json.items())
        if (item.is_number() && value.size() < most) read(item, value[grader::harmless(name)]);
    } else {
      Lenient inside(json);
      fields(inside, value);
    }
  }

 private:
  const Json& object_;
};
template <class T>
[[nodiscard]] T read_leniently(const Json& json) {
  T value;
  Lenient::read(json, value);
  return value;
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
