// Code that does not identify its author. Comments are removed and strings are empty. Names that
// are not part of the language, CUDA or the course become name1, name2, ... Lines keep their
// numbers.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::class_report {

class CourseWords {
 public:
  CourseWords();                        // knows the names of C++, CUDA and the lessons
  void learn(std::string_view source);  // adds the names in a text of the course
  [[nodiscard]] bool knows(std::string_view word) const { return words_.contains(word); }

 private:
  std::set<std::string, std::less<>> words_;
};

// Returns one string per line of `source`, without trailing blanks.
[[nodiscard]] std::vector<std::string> anonymous_code(std::string_view source,
                                                      const CourseWords& words);

// Replaces a message's words that are not the course's by "...": quoted words ('x', `x`), and words
// in the strings, headers and directives of `source`. With Numbers::as_n, all students' messages
// about one mistake are equal.
enum class Numbers { shown, as_n };
[[nodiscard]] std::string anonymous_message(std::string_view message, const CourseWords& words,
                                            std::string_view source, Numbers numbers);

// Returns true if the text contains a word of `source` that is not the course's.
[[nodiscard]] bool has_own_words(std::string_view text, const CourseWords& words,
                                 std::string_view source);

}  // namespace histolab::class_report
