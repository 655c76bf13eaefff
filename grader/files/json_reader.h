// ObjectReader: strict reading of hand-written JSON. An unknown key is a problem. Each problem is
// one sentence with the file and the JSON pointer (RFC 6901) of the value.
//
// A getter that finds a problem adds it to Problems and returns a harmless value, so that reading
// continues.
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
  // Adds a problem with a key that resembles a known one. It is reported before other problems,
  // which may follow from it.
  void add_misspelt(const std::string& pointer, const std::string& text);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  // True if so many problems were found that looking for more would waste time and memory.
  [[nodiscard]] bool are_many() const { return count_ >= 1000; }
  // The first problems, and the number of further ones.
  [[nodiscard]] Error error() const;

 private:
  struct Problem {
    std::string pointer, text;
  };
  void keep(std::size_t at, const std::string& pointer, const std::string& text);
  std::string file_;
  // Without problems inside a value that itself has a problem: they follow from that one.
  std::vector<Problem> first_;
  std::size_t count_ = 0, misspelt_ = 0;
};

// Returns an Error if the text nests deeper than deepest_nesting. `name` is its name in messages.
[[nodiscard]] Status check_nesting(std::string_view text, const std::string& name);

// Reads the whole file as one value. Returns an Error if the file cannot be read, has bad syntax
// ("FILE:LINE:COLUMN: ..."), has a key twice in one object, or nests too deep.
[[nodiscard]] Result<Json> read_json_file(const std::string& path, const std::string& what);
// The same for a text; `path` is its name in messages.
[[nodiscard]] Result<Json> read_json_text(const std::string& path, const std::string& text);

class ObjectReader {
 public:
  // `value` must outlive the reader. If it is not an object, that is a problem, and all keys are
  // absent.
  ObjectReader(const Json& value, std::string pointer, Problems& problems);

  [[nodiscard]] bool has(const std::string& key);  // makes the key a known one
  std::string text(const std::string& key);        // required, not empty
  std::string text_or(const std::string& key, std::string fallback);
  long long integer(const std::string& key, long long min, long long max);
  long long integer_or(const std::string& key, long long fallback, long long min, long long max);
  double number_or(const std::string& key, double fallback);  // finite, >= 0
  bool boolean_or(const std::string& key, bool fallback);
  // Required; read the result with another ObjectReader, which checks that it is an object.
  const Json& object(const std::string& key);
  const Json& map(const std::string& key);  // required; an object whose keys are names
  std::vector<Json> array(const std::string& key, bool required);
  // An array of strings that are not empty.
  std::vector<std::string> words(const std::string& key, bool required);

  // One of a closed list of words. Returns the first one's value if the key is missing or its word
  // unknown.
  template <class T>
  T choice(const std::string& key, std::initializer_list<std::pair<std::string_view, T>> choices,
           bool required) {
    return chosen<T>(key, {choices.begin(), choices.size()}, required);
  }
  // The same for all values of a type, by their name().
  template <class All, class T = std::ranges::range_value_t<All>>
  T named(const std::string& key, const All& all, bool required) {
    std::vector<std::pair<std::string_view, T>> choices;
    for (const T value : all) choices.emplace_back(name(value), value);
    return chosen<T>(key, choices, required);
  }
  void unknown_word(const std::string& key, const std::string& word,
                    const std::vector<std::string>& known);

  // Makes a key a known one that the caller reads.
  void ignore(const std::string& key) { known_.insert(key); }

  [[nodiscard]] std::string at(const std::string& key) const { return pointer_ + "/" + key; }
  void problem(const std::string& key, const std::string& text) { problems_.add(at(key), text); }
  // Reports the unknown keys as problems. Call it last.
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
