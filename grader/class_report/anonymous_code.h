// Code that says nothing of who wrote it: comments are gone, strings are empty, and every name that is neither the language's, CUDA's nor the
// course's is called name1, name2, ... The lines keep their numbers.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace histolab::class_report {

class CourseWords {
 public:
  CourseWords();                       // those of C++, CUDA and the lessons
  void learn(std::string_view source);  // the names in a text of the course's
  [[nodiscard]] bool knows(std::string_view word) const { return words_.contains(word); }

 private:
  std::set<std::string, std::less<>> words_;
};

// One string a line of `source`, without trailing blanks.
[[nodiscard]] std::vector<std::string> anonymous_code(std::string_view source, const CourseWords& words);

// What a message quotes ('x', `x`) of words that are not the course's becomes "...", numbers become N: two students' messages of one mistake are equal.
// So does what it says in the student's own words: of the texts, the headers and the directives of `source`.
[[nodiscard]] std::string anonymous_message(std::string_view message, const CourseWords& words, std::string_view source);

}  // namespace histolab::class_report
