// Mistakes of a class's students. Each kind appears once, with the number of students, the labs,
// and one anonymous excerpt.
//
// The mistakes of a kernel that did not pass are its findings of severity error. Without any, it is
// the first failing check or the compiler's first error. A finding that the lab's solution has too
// is the lab's subject, not a mistake.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/anonymous_code.h"

namespace histolab::class_report {

struct ExcerptLine {
  int number = 0;
  std::string code;  // anonymous_code.h
  bool marked = false;
};

struct Mistake {
  std::string title;                       // with the numbers of the first student
  std::string why;                         // why it matters: a sentence; may be empty
  std::string next;                        // the advice that `grade` prints; may be empty
  std::vector<std::size_t> entries, labs;  // the students and the labs, ascending
  std::vector<ExcerptLine> excerpt;  // may be empty; a gap in the numbers is a gap in the text
};

// Collects them student by student.
class Mistakes {
 public:
  // `results` must outlive this object. Its entries are not used.
  explicit Mistakes(const batch::ClassResults& results);
  void add(std::size_t number, const batch::Entry& entry);
  // Most frequent mistakes first.
  [[nodiscard]] std::vector<Mistake> sorted() &&;

 private:
  const batch::ClassResults& results_;
  CourseWords words_;
  std::vector<Mistake> mistakes_;
  std::map<std::string, std::size_t> known_;  // by Seen::key
};

}  // namespace histolab::class_report
