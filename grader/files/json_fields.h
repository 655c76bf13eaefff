// Fields and FieldWriter read and write JSON of a program, by descriptions (reference/fields.h) or
// field by field. json_reader.h reads JSON that a person wrote.
//
// Unknown keys are ignored, so that an older version can read the files of a newer one. A getter
// that finds a problem adds it to Problems and returns a harmless value, so that reading continues.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/files/json_reader.h"
#include "reference/fields.h"

namespace histolab::grader {

using OrderedJson = nlohmann::ordered_json;

// Returns an integer if the number is whole.
[[nodiscard]] OrderedJson json_number(double number);

class Fields {
 public:
  static constexpr bool writes = false;
  // `value` must outlive the Fields. If it is not an object, that is a problem, and all keys are
  // missing.
  Fields(const Json& value, std::string pointer, Problems& problems);

  [[nodiscard]] bool is_null(const char* key) const;       // or absent
  [[nodiscard]] const Json& value(const char* key) const;  // null if absent
  // The key is required.
  [[nodiscard]] std::string text(const char* key);
  [[nodiscard]] bool flag(const char* key);
  [[nodiscard]] double number(const char* key);
  template <std::integral Int>
  [[nodiscard]] Int whole(const char* key, Int min = 0, Int max = std::numeric_limits<Int>::max()) {
    const Json* value = find(key);
    if (value != nullptr && value->is_number_integer()) {
      const bool fits = value->is_number_unsigned() ? in(value->get<std::uint64_t>(), min, max)
                                                    : in(value->get<std::int64_t>(), min, max);
      if (fits) return value->get<Int>();
    }
    expected(key, value,
             "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return min;
  }
  // A value for another reader. If it is not an object (an array), that is a problem, and the
  // result is empty.
  [[nodiscard]] Fields object(const char* key);
  [[nodiscard]] const Json& array(const char* key);

  // Calls read(Fields&) for each element of an array, until too many problems were found.
  void each(const char* key, auto&& read) {
    const Json& items = array(key);
    for (std::size_t i = 0; i < items.size() && !problems_.are_many(); ++i) {
      Fields item(items[i], at(key) + "/" + std::to_string(i), problems_);
      read(item);
    }
  }

  template <class T, class... Limits>
  void operator()(const char* key, T& value, Limits... limits) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = text(key);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = flag(key);
    } else if constexpr (std::is_floating_point_v<T>) {
      value = number(key);
    } else if constexpr (std::is_enum_v<T>) {
      const std::string word = text(key);
      if (const std::optional<T> named = value_named<T>(word))
        value = *named;
      else
        problem(key, "unknown word \"" + word + "\"");
    } else if constexpr (std::is_integral_v<T>) {
      if constexpr (sizeof...(limits) == 0)
        value = whole<T>(key, std::numeric_limits<T>::lowest());
      else
        value = whole<T>(key, static_cast<T>(limits)...);
    } else if constexpr (requires { value.has_value(); }) {
      (*this)(key, value.emplace(), limits...);
    } else if constexpr (requires { value.emplace_back(); }) {
      list(key, value, limits...);
    } else {
      Fields inside = object(key);
      fields(inside, value);
    }
  }
  template <class T, class... Limits>
  void newer(const char* key, T& value, Limits... limits) {
    if (!is_null(key)) (*this)(key, value, limits...);
  }
  void or_null(const char* key, auto& value, auto... limits) { newer(key, value, limits...); }
  void if_set(const char* key, auto& value, auto... limits) { newer(key, value, limits...); }
  void lines(const char* key, std::string& value, std::size_t) { value = text(key); }
  void schema(const std::string& name) {
    if (const std::string found = text("schema"); found != name)
      problem("schema", "expected " + name + ", found \"" + found + "\"");
  }
  void group(const char* key, auto&& describe) {
    Fields inside = object(key);
    describe(inside);
  }
  void group_or_null(const char* key, bool, auto&& describe) {
    if (!is_null(key)) group(key, describe);
  }
  // NaN and infinity are null in JSON.
  void any_number(const char* key, double& value) {
    value = is_null(key) ? std::numeric_limits<double>::quiet_NaN() : number(key);
  }
  void row(const char* key, std::integral auto&... values) {
    const Json& list = array(key);
    std::size_t at = 0;
    const auto take = [&](auto& value) {
      const Json& item = list[at++];
      if (!item.is_number_unsigned() || !std::in_range<std::remove_reference_t<decltype(value)>>(
                                            item.template get<std::uint64_t>()))
        return false;
      item.get_to(value);
      return true;
    };
    if (list.size() != sizeof...(values) || !(take(values) && ...))
      problem(key, "expected " + std::to_string(sizeof...(values)) + " whole numbers");
  }

  [[nodiscard]] std::string at(const std::string& key) const { return pointer_ + "/" + key; }
  void problem(const std::string& key, const std::string& text) { problems_.add(at(key), text); }
  [[nodiscard]] Problems& problems() { return problems_; }

 private:
  template <class Value, std::integral Int>
  static bool in(Value value, Int min, Int max) {
    return std::cmp_less_equal(min, value) && std::cmp_less_equal(value, max);
  }
  const Json* find(const char* key) const;  // nullptr if absent
  void expected(const char* key, const Json* found, const std::string& what);
  template <class T>
  void list(const char* key, std::vector<T>& values,
            std::size_t most = std::numeric_limits<std::size_t>::max()) {
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
      each(key, [&](Fields& item) { fields(item, values.emplace_back()); });
    } else {
      for (const Json& item : array(key)) {
        bool fits = item.is_number();
        const char* wanted = "a number";
        if constexpr (std::is_same_v<T, std::string>)
          fits = item.is_string(), wanted = "a string";
        else if constexpr (std::is_integral_v<T>)
          fits = item.is_number_unsigned() && std::in_range<T>(item.template get<std::uint64_t>()),
          wanted = "a whole number";
        if (!fits)
          return problem(key + ("/" + std::to_string(values.size())),
                         std::string{"expected "} + wanted);
        values.push_back(item.template get<T>());
      }
    }
    if (values.size() > most) problem(key, "expected at most " + std::to_string(most));
  }

  const Json& value_;
  std::string pointer_;
  Problems& problems_;
};

// Reads a text into `found` with read(Fields&, found). `name` is the name of the text in messages.
template <class Value, class Read>
[[nodiscard]] Result<Value> read_fields(std::string_view text, const std::string& name, Value found,
                                        Read read) {
  TRY(check_nesting(text, name));
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{name + ": not JSON, or truncated"};
  Problems problems(name);
  Fields in(json, "", problems);
  read(in, found);
  if (!problems.empty()) return problems.error();
  return found;
}
template <class Value>
[[nodiscard]] Result<Value> read_fields(std::string_view text, const std::string& name,
                                        Value found = {}) {
  return read_fields(text, name, std::move(found),
                     [](Fields& in, Value& value) { fields(in, value); });
}

// Writes the fields in the order of the description. It keeps at most as many items of a list as
// the description allows.
class FieldWriter {
 public:
  static constexpr bool writes = true;
  OrderedJson json = OrderedJson::object();

  template <class T, class... Limits>
  void operator()(const char* key, const T& value, Limits... limits) {
    json[key] = written(value, limits...);
  }
  void newer(const char* key, const auto& value, auto... limits) { (*this)(key, value, limits...); }
  void lines(const char* key, const std::string& value, std::size_t) { json[key] = value; }
  void or_null(const char* key, const auto& value, auto... limits) {
    json[key] = is_unset(value) ? OrderedJson(nullptr) : written(value, limits...);
  }
  void if_set(const char* key, const auto& value, auto... limits) {
    if (!is_unset(value)) json[key] = written(value, limits...);
  }
  void schema(const char* name) { json["schema"] = name; }
  void group(const char* key, auto&& describe) {
    FieldWriter inside;
    describe(inside);
    json[key] = std::move(inside.json);
  }
  void group_or_null(const char* key, bool unset, auto&& describe) {
    if (unset)
      json[key] = nullptr;
    else
      group(key, describe);
  }
  void any_number(const char* key, double value) { json[key] = json_number(value); }
  void row(const char* key, std::integral auto... values) {
    json[key] = OrderedJson::array({values...});
  }

  template <class T, class... Limits>
  [[nodiscard]] static OrderedJson written(const T& value, Limits... limits) {
    if constexpr (requires { value.has_value(); }) {
      return written(*value, limits...);
    } else if constexpr (std::is_enum_v<T>) {
      return name(value);
    } else if constexpr (requires(FieldWriter & f) { fields(f, value); }) {
      FieldWriter inside;
      fields(inside, value);
      return std::move(inside.json);
    } else if constexpr (requires(FieldWriter & f) { fields(f, value.front()); }) {
      OrderedJson list = OrderedJson::array();
      const std::size_t most = std::min({value.size(), static_cast<std::size_t>(limits)...});
      for (std::size_t i = 0; i < most; ++i) list.push_back(written(value[i]));
      return list;
    } else {
      return value;
    }
  }
};

}  // namespace histolab::grader
