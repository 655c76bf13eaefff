// Writes and reads messages between processes as JSON, by descriptions (reference/fields.h).
//
// A MessageReader does not trust its source. Like nlohmann's accessors, it throws if the shape is
// wrong. protocol.cpp catches that, so no exception leaves the protocol's files.
//
// Beyond the operations of reference/fields.h: as_row() makes the value an array without keys.
// Enums are numbers. An enum without name() has last_of(), which returns its last value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/finding_fields.h"
#include "reference/nesting.h"
#include "reference/result.h"

namespace histolab::kernels::worker {

using nlohmann::json;

// Limits that any readable report on a kernel keeps (also finding_fields.h). The writer drops items
// beyond them, and the reader refuses them. longest_print is in bytes.
inline constexpr std::size_t most_findings = 1000, most_lines = 65536, most_variables = 4096;
inline constexpr std::size_t longest_print = 66 * 1024;

// Returns a text without control characters, which could steer a terminal: the text may come from a
// kernel. `longest` is in bytes; `in_lines` keeps newlines and tabs.
[[nodiscard]] std::string read_text(const json& j, std::size_t longest, bool in_lines = false);
[[nodiscard]] std::string cut(std::string text, std::size_t longest);

// Recorded accesses name few variables, many times. So a row has the name's index in a list.
class Names {
 public:
  std::size_t place_of(const std::string& name) {
    const auto [known, is_new] = places_.try_emplace(name, list.size());
    if (is_new) list.push_back(name);
    return known->second;
  }
  std::vector<std::string> list;

 private:
  std::map<std::string, std::size_t> places_;
};

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

class MessageWriter {
 public:
  static constexpr bool writes = true;
  json j = json::object();

  explicit MessageWriter(Names* names = nullptr) : names_(names) {}
  void as_row() { j = json::array(); }
  template <class T, class... Limits>
  void operator()(const char* key, const T& value, Limits... limits) {
    put(key, written(value, limits...));
  }
  void lines(const char* key, const std::string& value, std::size_t longest) {
    (*this)(key, value, longest);
  }
  void or_null(const char* key, const auto& value, auto... limits) {
    put(key, is_unset(value) ? json(nullptr) : written(value, limits...));
  }
  void if_set(const char* key, const auto& value, auto... limits) {
    if (!is_unset(value)) put(key, written(value, limits...));
  }
  void row(const char* key, std::integral auto... values) { put(key, json::array({values...})); }
  // Index and value of each number that is not 0. each(f) calls f with all numbers.
  void sparse(auto&& each) {
    std::size_t at = 0;
    each([&](std::uint64_t value) {
      if (value != 0) j.push_back(at), j.push_back(value);
      ++at;
    });
  }
  void listed(const char* key, const std::string& name) { (*this)(key, names_->place_of(name)); }
  template <class T>
  void recorded(const char* key, const std::vector<T>& items, std::size_t) {
    Names names;
    json rows = json::array();
    for (const T& item : items) rows.push_back(MessageWriter(&names).written(item));
    put(key, {{"names", std::move(names.list)}, {"rows", std::move(rows)}});
  }
  void require(bool) {}

  template <class T, class... Limits>
  [[nodiscard]] json written(const T& value, Limits... limits) {
    if constexpr (std::is_same_v<T, std::string>) {
      if constexpr (sizeof...(limits) > 0) return cut(value, limits...);
      return value;
    } else if constexpr (requires { value.has_value(); }) {
      return written(*value, limits...);
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<int>(value);
    } else if constexpr (is_vector<T>) {
      return list(value, limits...);
    } else if constexpr (requires(MessageWriter & f) { fields(f, value); }) {
      MessageWriter inside(names_);
      fields(inside, value);
      return std::move(inside.j);
    } else {
      return value;
    }
  }

 private:
  template <class T, class... Limits>
  json list(const std::vector<T>& items, std::size_t most = SIZE_MAX, Limits... limits) {
    json result = json::array();
    for (std::size_t i = 0; i < items.size() && i < most; ++i)
      result.push_back(written(items[i], limits...));
    return result;
  }
  void put(const char* key, json value) {
    if (j.is_array())
      j.push_back(std::move(value));
    else
      j[key] = std::move(value);
  }
  Names* names_;
};

class MessageReader {
 public:
  static constexpr bool writes = false;

  // `last_key` becomes the key that was read last. All arguments must outlive the reader.
  MessageReader(const json& j, const char*& last_key,
                const std::vector<std::string>* names = nullptr)
      : j_(j), last_key_(last_key), names_(names) {}
  void as_row() {
    require(j_.is_array());
    is_row_ = true;
  }
  template <class T, class... Limits>
  void operator()(const char* key, T& value, Limits... limits) {
    read(next(key), value, limits...);
  }
  void lines(const char* key, std::string& value, std::size_t longest) {
    value = read_text(next(key), longest, true);
  }
  void or_null(const char* key, auto& value, auto... limits) {
    if (const json& item = next(key); !item.is_null()) read(item, value, limits...);
  }
  void if_set(const char* key, auto& value, auto... limits) {
    last_key_ = key;
    if (const auto found = j_.find(key); found != j_.end()) read(*found, value, limits...);
  }
  void row(const char* key, std::integral auto&... values) {
    const json& items = next(key);
    std::size_t at = 0;
    require(items.size() == sizeof...(values));
    (read(items.at(at++), values), ...);
  }
  void sparse(auto&& each) {
    std::uint64_t at = 0, place = next_ < j_.size() ? whole(j_[next_]) : 0;
    each([&](std::uint64_t& value) {
      if (next_ < j_.size() && place == at) {
        value = whole(j_.at(next_ + 1));
        next_ += 2;
        if (next_ < j_.size()) place = whole(j_[next_]);
      }
      ++at;
    });
  }
  void listed(const char* key, std::string& name) {
    std::size_t at = 0;
    (*this)(key, at);
    require(at < names_->size());
    name = (*names_)[at];
  }
  template <class T>
  void recorded(const char* key, std::vector<T>& items, std::size_t most) {
    const json& value = next(key);
    std::vector<std::string> names;
    read(value.at("names"), names, most, longest_name);
    MessageReader(value, last_key_, &names)("rows", items, most);
  }
  static void require(bool holds, const char* why = "an invalid value") {
    if (!holds) throw std::out_of_range(why);
  }

  template <class T, class... Limits>
  void read(const json& j, T& value, Limits... limits) {
    if constexpr (std::is_same_v<T, std::string>) {
      if constexpr (sizeof...(limits) > 0)
        value = read_text(j, limits...);
      else
        j.get_to(value);
    } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      j.get_to(value);
    } else if constexpr (std::is_enum_v<T>) {
      const std::uint64_t number = whole(j);
      require(number < 32);
      value = static_cast<T>(number);
      if constexpr (requires { last_of(value); })
        require(value <= last_of(value));
      else  // an invalid value has the name of another one
        require(value_named<T>(name(value)) == value);
    } else if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>)
        if (j.is_number_integer() && !j.is_number_unsigned())
          return set(value, j.get<std::int64_t>(), static_cast<T>(limits)...);
      set(value, whole(j), static_cast<T>(limits)...);
    } else if constexpr (requires { value.has_value(); }) {
      read(j, value.emplace(), limits...);
    } else if constexpr (is_vector<T>) {
      read_list(j, value, limits...);
    } else if constexpr (requires { value[std::string{}]; }) {
      require(j.is_object());
      for (const auto& [name, item] : j.items()) read(item, value[name]);
    } else {
      MessageReader inside(j, last_key_, names_);
      fields(inside, value);
      require(!inside.is_row_ || inside.next_ == j.size());
    }
  }

 private:
  const json& next(const char* key) {
    last_key_ = key;
    if (is_row_) {
      require(next_ < j_.size(), "is missing");
      return j_[next_++];
    }
    const auto found = j_.find(key);
    require(found != j_.end(), "is missing");
    return *found;
  }
  static std::uint64_t whole(const json& j) {
    require(j.is_number_unsigned());
    return j.get<std::uint64_t>();
  }
  template <class T, class Number>
  static void set(T& value, Number number, T least = std::numeric_limits<T>::lowest(),
                  T most = std::numeric_limits<T>::max()) {
    require(std::cmp_less_equal(least, number) && std::cmp_less_equal(number, most));
    value = static_cast<T>(number);
  }
  template <class T, class... Limits>
  void read_list(const json& j, std::vector<T>& items, std::size_t most = SIZE_MAX,
                 Limits... limits) {
    require(j.is_array() && j.size() <= most);
    items.reserve(j.size());
    for (const json& item : j) read(item, items.emplace_back(), limits...);
  }
  const json& j_;
  const char*& last_key_;
  const std::vector<std::string>* names_;
  bool is_row_ = false;
  std::size_t next_ = 0;
};

// "`what` does not have the agreed form: `key`: `why`". A null `key` is left out.
[[nodiscard]] Error wrong_form(const char* what, const char* key, std::string_view why);

// Returns an Error with the key and the reason if the text is not a value of this type.
template <class T>
[[nodiscard]] Result<T> read_message(std::string_view text, const char* what) {
  if (nests_too_deep(text)) return wrong_form(what, nullptr, "nested too deep");
  const json j = json::parse(text, nullptr, false);
  if (j.is_discarded()) return wrong_form(what, nullptr, "not JSON, or truncated");
  const char* key = nullptr;
  try {
    T value;
    MessageReader(j, key).read(j, value);
    return value;
  } catch (const std::exception& failure) {
    return wrong_form(what, key, failure.what());
  }
}
// Invalid UTF-8 is replaced: a kernel may print anything.
template <class T>
[[nodiscard]] std::string write_message(const T& value) {
  return MessageWriter().written(value).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace histolab::kernels::worker
