// Parts of the protocol's JSON (protocol.h), and functions that read them from an untrusted source.
//
// Like nlohmann's accessors, the readers throw if the shape is wrong. protocol.cpp catches that, so
// no exception leaves the protocol's files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

using nlohmann::json;

// Limits that any readable report on a kernel keeps. The writer drops items beyond them, and the
// reader refuses them. The last three are in bytes.
inline constexpr std::size_t most_findings = 1000, most_lines = 65536, most_variables = 4096;
inline constexpr std::size_t longest_name = 1024, longest_message = 8192, longest_print = 66 * 1024;

template <class T>
std::vector<T> list_of(const json& items, T (*read)(const json&), std::size_t most = most_lines) {
  if (!items.is_array() || items.size() > most) throw std::out_of_range("too many items");
  std::vector<T> result;
  for (const json& item : items) result.push_back(read(item));
  return result;
}
template <class T>
json list_to(const std::vector<T>& items, json (*write)(const T&)) {
  json result = json::array();
  for (const T& item : items) result.push_back(write(item));
  return result;
}

template <class T>
json list_to_at_most(const std::vector<T>& items, json (*write)(const T&), std::size_t most) {
  json result = json::array();
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) result.push_back(write(items[i]));
  return result;
}

// Returns whether there is a number with a fraction, except under one of these keys. Converting
// such a number to an integer may be undefined behaviour.
template <class Json>  // nlohmann's, ordered or not
[[nodiscard]] bool has_fractions(const Json& j, std::span<const std::string_view> may_be) {
  if (j.is_number_float()) return true;
  if (j.is_object()) {
    for (const auto& [key, value] : j.items())
      if (std::ranges::find(may_be, key) == may_be.end() && has_fractions(value, may_be))
        return true;
  } else if (j.is_array()) {
    for (const Json& each : j)
      if (has_fractions(each, may_be)) return true;
  }
  return false;
}

// The readers replace control characters, which could steer a terminal: the text may come from a
// kernel. `longest` is in bytes; `in_lines` keeps newlines and tabs.
[[nodiscard]] std::string read_text(const json& j, std::size_t longest, bool in_lines = false);
[[nodiscard]] std::string read_name(const json& j);
[[nodiscard]] std::string cut(std::string text, std::size_t longest);

// Reads values by name. The names are untrusted, so each value must be an unsigned integer, even
// under a name for which has_fractions() allows a fraction.
[[nodiscard]] std::map<std::string, std::uint32_t> read_words(const json& j);
[[nodiscard]] std::uint32_t read_at_most(const json& j, std::uint32_t most);
[[nodiscard]] int read_line_number(const json& j);

[[nodiscard]] json write_dim(const Dim3& d);
[[nodiscard]] Dim3 read_dim(const json& j);

[[nodiscard]] json write_diagnostic(const Diagnostic& d);
[[nodiscard]] Diagnostic read_diagnostic(const json& j);

// Reads an enum that is written as a number, checked against its last value.
template <class Enum>
Enum read_enum(const json& j, Enum last) {
  const auto value = j.get<std::uint32_t>();
  if (value > static_cast<std::uint32_t>(last)) throw std::out_of_range("no such value");
  return static_cast<Enum>(value);
}

}  // namespace histolab::kernels::worker
