// The section of one student: each lab's verdict, its checks with their points, the source with its
// findings, and the kernel's counters next to the solution's.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"
#include "grader/html/html.h"

namespace histolab::class_report {

// Texts that several students handed in for one lab. The page shows each once and without names, so
// that a printed student's section reveals nothing about others.
class SharedTexts {
 public:
  // Adds one student's texts; `labs` as in ClassResults.
  void add(const std::vector<batch::Lab>& labs, std::size_t number, const batch::Entry& entry);
  // Call after the last student: forgets texts of only one student and numbers the others in order.
  void count();

  struct Text {
    std::size_t number = 0;  // from 1
    std::size_t holders = 0;
    std::size_t order = 0;  // the number of texts before it
    std::size_t first = 0;  // the first holder, in ClassResults::entries
  };
  // Returns null if no other student has this text.
  [[nodiscard]] const Text* find(std::size_t lab, const grader::LabResult& result) const;
  [[nodiscard]] bool empty() const { return texts_.empty(); }

 private:
  std::map<std::pair<std::size_t, std::string>, Text> texts_;  // by lab and sha256
};

// One student. Closed until the reader opens it or follows a link to it (#s12).
[[nodiscard]] grader::Html student_section(const batch::ClassResults& results, const Person& person,
                                           double max_score, std::size_t number,
                                           const batch::Entry& entry, const SharedTexts& shared);
// The shared texts whose first holder is this student.
[[nodiscard]] grader::Html shared_texts(const batch::ClassResults& results, std::size_t number,
                                        const batch::Entry& entry, const SharedTexts& shared);

}  // namespace histolab::class_report
