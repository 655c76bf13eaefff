// Strict reading of hand-written JSON: every key is asked for, none is left over, and each problem
// is one sentence with the file and the JSON pointer (RFC 6901) of the place.
//
// Getters return a harmless value where something is wrong, so that reading goes on; Problems says
// whether it went well.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/result.h"

namespace histolab::grader {

using Json = nlohmann::json;

class Problems {
 public:
  explicit Problems(std::string file) : file_(std::move(file)) {}
  void add(const std::string& pointer, const std::string& text);
  // Of a key that is nearly one that is known. It is reported before others: they may be its
  // consequences.
  void add_misspelt(const std::string& pointer, const std::string& text);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // So many that it is a waste of time and memory to look for more.
  [[nodiscard]] bool are_many() const { return count_ >= 1000; }
  // The first problems, and how many more there are.
  [[nodiscard]] Error error() const;

 private:
  struct Problem {
    std::string pointer, text;
  };
  void keep(std::size_t at, const std::string& pointer, const std::string& text);
  std::string file_;
  std::vector<Problem>
      first_;  // without those below a value that has one: they are its consequences
  std::size_t count_ = 0, misspelt_ = 0;
};

// The whole file as one value. Error: cannot be read; "FILE:LINE:COLUMN: ..." for bad syntax; a key
// given twice; nested too deep.
[[nodiscard]] Result<Json> read_json_file(const std::string& path, const std::string& what);
// The same of a text that is called `path`.
[[nodiscard]] Result<Json> read_json_text(const std::string& path, const std::string& text);

class ObjectReader {
 public:
  // `value` outlives the reader. A value that is no object is a problem, and then every key counts
  // as absent.
  ObjectReader(const Json& value, std::string pointer, Problems& problems);

  [[nodiscard]] bool has(const std::string& key);  // a key that is asked for is known
  std::string text(const std::string& key);        // required, not empty
  std::string text_or(const std::string& key, std::string fallback);
  long long integer(const std::string& key, long long min, long long max);
  long long integer_or(const std::string& key, long long fallback, long long min, long long max);
  double number_or(const std::string& key, double fallback);  // finite, >= 0
  bool boolean_or(const std::string& key, bool fallback);
  // required; to be read by a reader of its own, which tells when it is none.
  const Json& object(const std::string& key);
  const Json& map(const std::string& key);  // required; an object whose keys are names
  std::vector<Json> array(const std::string& key, bool required);
  std::vector<std::string> words(const std::string& key,
                                 bool required);  // an array of strings, not empty ones

  // One of a closed list of words; the first one's value where it is missing or unknown.
  template <class T>
  T choice(const std::string& key, std::initializer_list<std::pair<std::string_view, T>> choices,
           bool required) {
    return chosen<T>(key, {choices.begin(), choices.size()}, required);
  }
  // The same of all values of a type, by their name().
  template <class All, class T = std::ranges::range_value_t<All>>
  T named(const std::string& key, const All& all, bool required) {
    std::vector<std::pair<std::string_view, T>> choices;
    for (const T value : all) choices.emplace_back(name(value), value);
    return chosen<T>(key, choices, required);
  }
  void unknown_word(const std::string& key, const std::string& word,
                    const std::vector<std::string>& known);

  // Known, but judged by the caller.
  void ignore(const std::string& key) { known_.insert(key); }

  [[nodiscard]] std::string at(const std::string& key) const { return pointer_ + "/" + key; }
  void problem(const std::string& key, const std::string& text) { problems_.add(at(key), text); }
  // Keys that nobody asked for are problems. Call it last.
  void done();

 private:
  template <class T>
  T chosen(const std::string& key, std::span<const std::pair<std::string_view, T>> choices,
           bool required) {
    known_.insert(key);
    if (!required && !has(key)) return choices.front().second;
    const std::string word = text(key);
    std::vector<std::string> known;
    for (const auto& [name, value] : choices) {
      if (word == name) return value;
      known.emplace_back(name);
    }
    if (!word.empty()) unknown_word(key, word, known);
    return choices.front().second;
  }
  const Json* find(const std::string& key, bool required, const char* expected);
  const Json& value_;
  std::string pointer_;
  Problems& problems_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace histolab::grader
