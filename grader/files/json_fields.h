// Fields: reads JSON that a program wrote. json_reader.h reads JSON that a person wrote.
//
// Unknown keys are ignored, so that an older version can read the files of a newer one. A getter
// that finds a problem adds it to Problems and returns a harmless value, so that reading continues.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

#include "grader/files/json_reader.h"

namespace histolab::grader {

class Fields {
 public:
  // `value` must outlive the Fields. If it is not an object, that is a problem, and all keys are
  // missing.
  Fields(const Json& value, std::string pointer, Problems& problems);

  [[nodiscard]] bool is_null(const char* key) const;  // or absent
  // The key is required, except in the getters that name a value for null.
  [[nodiscard]] std::string text(const char* key);
  [[nodiscard]] std::string text_or_null(const char* key);  // empty if null
  [[nodiscard]] bool flag(const char* key);
  [[nodiscard]] double number(const char* key);
  [[nodiscard]] double number_or_null(const char* key, double if_null);
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
  template <std::integral Int>
  [[nodiscard]] Int whole_or_null(const char* key, Int if_null, Int min = 0,
                                  Int max = std::numeric_limits<Int>::max()) {
    return is_null(key) ? if_null : whole<Int>(key, min, max);
  }
  // Returns the value of `all` that has this name. An unknown name is a problem; returns the first
  // value then.
  template <class T, class List, class Name>
  [[nodiscard]] T named(const char* key, const List& all, Name name_of) {
    const std::string word = text(key);
    for (const T value : all)
      if (word == name_of(value)) return value;
    problem(key, "unknown word \"" + word + "\"");
    return *std::begin(all);
  }
  // A value for another reader. If it is not an object (an array), that is a problem, and the
  // result is empty.
  [[nodiscard]] Fields object(const char* key);
  [[nodiscard]] const Json& array(const char* key);

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

  const Json& value_;
  std::string pointer_;
  Problems& problems_;
};

}  // namespace histolab::grader
