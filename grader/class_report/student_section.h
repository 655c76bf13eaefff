// The page of one student: every lab's verdict, its checks with their points, the source with findings in the margin, counters beside the solution's.
#pragma once

#include <map>
#include <string>

#include "grader/batch/class_results.h"
#include "grader/class_report/people.h"

namespace histolab::class_report {

// Texts that several handed in for one lab stand on the page once, apart from whose they are: a student's page, printed, says nothing of others.
class SharedTexts {
 public:
  explicit SharedTexts(const batch::ClassResults& results);
  struct Text {
    std::size_t number = 0;    // from 1
    std::size_t lab = 0, holders = 0;
    const grader::LabResult* result = nullptr;  // the first one's
  };
  // Null: nobody else has it.
  [[nodiscard]] const Text* find(std::size_t lab, const grader::LabResult& result) const;
  [[nodiscard]] std::vector<Text> in_order() const;

 private:
  std::map<std::pair<std::size_t, std::string>, Text> texts_;
};

// Students, as sections that are closed until somebody opens them or follows a link to one (#s12).
[[nodiscard]] std::string students(const batch::ClassResults& results, const People& people, const SharedTexts& shared);
[[nodiscard]] std::string shared_texts(const batch::ClassResults& results, const SharedTexts& shared);

}  // namespace histolab::class_report
