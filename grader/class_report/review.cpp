#include "grader/class_report/review.h"

#include <algorithm>

#include "grader/class_report/people.h"

namespace histolab::class_report {

const char* title(Concern concern) {
  switch (concern) {
    case Concern::no_mark: return "No mark yet";
    case Concern::unreadable: return "Files that could not be read";
    case Concern::refused: return "Refused: the code uses something that is not allowed in a kernel";
    case Concern::crashed: return "Crashed";
  }
  return "";
}

std::vector<ReviewItem> review_of(const batch::ClassResults& results) {
  std::vector<ReviewItem> items;
  for (std::size_t e = 0; e < results.entries.size(); ++e) {
    const batch::Entry& entry = results.entries[e];
    if (!entry.problem.empty()) items.push_back({Concern::unreadable, e, std::nullopt, entry.problem});
    for (std::size_t l = 0; l < entry.marks.size(); ++l) {
      const batch::Mark& mark = entry.marks[l];
      const grader::LabResult& result = mark.result;
      const std::string reason = result.message.empty() ? mark.note : result.message;
      if (!counts(mark) && !mark.outstanding) items.push_back({Concern::no_mark, e, l, mark.note.empty() ? result.message : mark.note});
      else if (result.status == grader::Verdict::refused) items.push_back({Concern::refused, e, l, reason});
      else if (result.status == grader::Verdict::crashed) items.push_back({Concern::crashed, e, l, reason});
    }
  }
  std::stable_sort(items.begin(), items.end(), [](const ReviewItem& a, const ReviewItem& b) { return a.concern < b.concern; });
  return items;
}

}  // namespace histolab::class_report
