// The page of one student: every lab's verdict, its checks with their points, the source with
// findings in the margin, counters beside the solution's.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"

namespace histolab::class_report {

// Texts that several handed in for one lab stand on the page once, apart from whose they are: a
// student's page, printed, says nothing of others.
class SharedTexts {
 public:
  // Of each student in turn; `labs` as in ClassResults.
  void add(const std::vector<batch::Lab>& labs, std::size_t number, const batch::Entry& entry);
  // After the last student: forgets texts of one student alone, and numbers the others as they
  // came.
  void count();

  struct Text {
    std::size_t number = 0;  // from 1
    std::size_t holders = 0;
    std::size_t order = 0;  // in which the first one came
    std::size_t first = 0;  // who, in ClassResults::entries
  };
  // Null: nobody else has it.
  [[nodiscard]] const Text* find(std::size_t lab, const grader::LabResult& result) const;
  [[nodiscard]] bool empty() const { return texts_.empty(); }

 private:
  std::map<std::pair<std::size_t, std::string>, Text> texts_;  // by lab and sha256
};

// One student, as a section that is closed until somebody opens it or follows a link to it (#s12).
[[nodiscard]] std::string student_section(const batch::ClassResults& results, const Person& person,
                                          double max_score, std::size_t number,
                                          const batch::Entry& entry, const SharedTexts& shared);
// The shared texts of which this student is the first one to have them.
[[nodiscard]] std::string shared_texts(const batch::ClassResults& results, std::size_t number,
                                       const batch::Entry& entry, const SharedTexts& shared);

}  // namespace histolab::class_report
