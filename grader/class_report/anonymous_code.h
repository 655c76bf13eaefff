// Code that says nothing of who wrote it: comments are gone, strings are empty, and every name that
// is neither the language's, CUDA's nor the course's is called name1, name2, ... The lines keep
// their numbers.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::class_report {

class CourseWords {
 public:
  CourseWords();                        // those of C++, CUDA and the lessons
  void learn(std::string_view source);  // the names in a text of the course's
  [[nodiscard]] bool knows(std::string_view word) const { return words_.contains(word); }

 private:
  std::set<std::string, std::less<>> words_;
};

// One string a line of `source`, without trailing blanks.
[[nodiscard]] std::vector<std::string> anonymous_code(std::string_view source,
                                                      const CourseWords& words);

// Replaces the words of a message that are not the course's by "...": those that it quotes ('x',
// `x`), and those of the texts, the headers and the directives of `source`. With Numbers::as_n two
// students' messages of one mistake are equal.
enum class Numbers { shown, as_n };
[[nodiscard]] std::string anonymous_message(std::string_view message, const CourseWords& words,
                                            std::string_view source, Numbers numbers);

// Whether a text has a word of `source` that is not the course's.
[[nodiscard]] bool has_own_words(std::string_view text, const CourseWords& words,
                                 std::string_view source);

}  // namespace histolab::class_report
