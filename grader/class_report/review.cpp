#include "grader/class_report/review.h"

#include <algorithm>

#include "grader/class_report/people.h"

namespace histolab::class_report {

const char* title(Concern concern) {
  switch (concern) {
    case Concern::no_mark: return "No mark yet";
    case Concern::unreadable: return "Files that could not be read, or were left out";
    case Concern::refused: return "Refused: the code uses something that kernels must not use";
    case Concern::crashed: return "Crashed";
    case Concern::nothing: return "Handed in nothing";
  }
  return "";
}

std::vector<ReviewItem> review_of(const batch::ClassResults& results) {
  std::vector<ReviewItem> items;
  for (std::size_t e = 0; e < results.entries.size(); ++e) {
    const batch::Entry& entry = results.entries[e];
    const std::size_t first = items.size();
    const auto add = [&](Concern concern, std::size_t lab, const std::string& reason) {
      const auto same = std::find_if(
          items.begin() + static_cast<std::ptrdiff_t>(first), items.end(),
          [&](const ReviewItem& each) { return each.concern == concern && each.reason == reason; });
      if (same == items.end())
        items.push_back({concern, e, {lab}, reason});
      else
        same->labs.push_back(lab);
    };
    for (std::size_t l = 0; l < entry.marks.size(); ++l) {
      const batch::Mark& mark = entry.marks[l];
      const grader::LabResult& result = mark.result;
      const std::string reason = result.message.empty() ? mark.note : result.message;
      if (!counts(mark) && !mark.outstanding)
        add(Concern::no_mark, l, mark.note.empty() ? result.message : mark.note);
      else if (mark.by_hand)
        continue;
      else if (result.status == grader::Verdict::refused)
        add(Concern::refused, l, reason);
      else if (result.status == grader::Verdict::crashed)
        add(Concern::crashed, l, reason);
    }
    const bool is_listed =
        std::any_of(items.begin() + static_cast<std::ptrdiff_t>(first), items.end(),
                    [&](const ReviewItem& each) { return each.reason == entry.problem; });
    if (entry.problem.empty() || is_listed || batch::is_reviewed(entry)) continue;
    if (entry.problem == batch::nothing_handed_in)
      items.push_back({Concern::nothing, e, {}, {}});
    else
      items.push_back({Concern::unreadable, e, {}, entry.problem});
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const ReviewItem& a, const ReviewItem& b) { return a.concern < b.concern; });
  return items;
}

}  // namespace histolab::class_report
