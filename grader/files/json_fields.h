// Reading JSON that a program wrote (json_reader.h reads what a person wrote): keys that nobody
// asks for are no mistake, so that an older version can read what a newer one wrote.
//
// Getters return a harmless value where something is wrong, so that reading goes on; Problems says
// whether it went well.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

#include "grader/files/json_reader.h"

namespace histolab::grader {

class Fields {
 public:
  // `value` outlives it. A value that is no object is a problem, and then every key is missing.
  Fields(const Json& value, std::string pointer, Problems& problems);

  [[nodiscard]] bool is_null(const char* key) const;  // or absent
  // Each of these: the key is required, but of the ones that say what null comes to.
  [[nodiscard]] std::string text(const char* key);
  [[nodiscard]] std::string text_or_null(const char* key);  // null: empty
  [[nodiscard]] bool flag(const char* key);
  [[nodiscard]] double number(const char* key);
  [[nodiscard]] double number_or_null(const char* key, double of_null);
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
  [[nodiscard]] Int whole_or_null(const char* key, Int of_null, Int min = 0,
                                  Int max = std::numeric_limits<Int>::max()) {
    return is_null(key) ? of_null : whole<Int>(key, min, max);
  }
  // The value of `all` whose name() is this text; the first of them where there is none.
  template <class T, class List, class Name>
  [[nodiscard]] T named(const char* key, const List& all, Name name_of) {
    const std::string word = text(key);
    for (const T value : all)
      if (word == name_of(value)) return value;
    problem(key, "unknown word \"" + word + "\"");
    return *std::begin(all);
  }
  // What is to be read by somebody else: what is no object, or no array, is a problem and empty.
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
  const Json* find(const char* key) const;  // null: absent
  void expected(const char* key, const Json* found, const std::string& what);

  const Json& value_;
  std::string pointer_;
  Problems& problems_;
};

}  // namespace histolab::grader
