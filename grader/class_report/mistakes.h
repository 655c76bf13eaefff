// Mistakes: what students of a class got wrong, each kind once, with how many made it, in which
// labs, and one excerpt that says nothing of whose it is.
//
// Of a kernel that did not pass: its findings of severity error; where there are none, the first
// check that fails, or what the compiler said first. A finding that a lab's own solution has, too,
// is what the lab is about and no mistake.
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
  std::string title;                       // its numbers are those of the first student who made it
  std::string why;                         // it matters: a sentence; may be empty
  std::string next;                        // the advice that `grade` prints; may be empty
  std::vector<std::size_t> entries, labs;  // who made it and in which labs, ascending
  std::vector<ExcerptLine> excerpt;  // may be empty; a gap in the numbers is a gap in the text
};

// Collects them student by student.
class Mistakes {
 public:
  // `results` has to outlive it; of its entries nothing is used.
  explicit Mistakes(const batch::ClassResults& results);
  void add(std::size_t number, const batch::Entry& entry);
  // What most students made first.
  [[nodiscard]] std::vector<Mistake> sorted() &&;

 private:
  const batch::ClassResults& results_;
  CourseWords words_;
  std::vector<Mistake> mistakes_;
  std::map<std::string, std::size_t> known_;  // by Seen::key
};

}  // namespace histolab::class_report
