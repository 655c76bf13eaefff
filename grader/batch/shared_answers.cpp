#include "grader/batch/shared_answers.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "grader/quiz/answers.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

struct Copies {
  std::set<std::string> files;  // where they are in what was handed in
  std::vector<Work*> works;
};

}  // namespace

void mark_shared_answers(std::vector<HandIn>& class_, const std::vector<grader::LabSpec>& labs) {
  for (const grader::LabSpec& lab : labs) {
    if (!lab.has_check(grader::CheckKind::quiz)) continue;
    std::map<std::pair<std::string, std::uint64_t>, Copies> drawn;
    for (HandIn& each : class_) {
      const auto work = each.works.find(lab.name);
      if (work == each.works.end() || !work->second.sheet) continue;
      const Result<quiz::Sheet> sheet =
          quiz::sheet_of(lab.name + ".quiz.json", *work->second.sheet, lab.name);
      // The default quiz has no points anyway, and an unanswered one has none to share.
      if (!sheet || sheet->person.has_defaults() || sheet->answers.empty()) continue;
      Copies& copies = drawn[{sheet->person.student, sheet->person.seed}];
      copies.files.insert(work->second.sheet_path);
      copies.works.push_back(&work->second);
    }
    for (const auto& [person, copies] : drawn) {
      if (copies.files.size() < 2) continue;
      for (Work* work : copies.works)
        if (work->problem.empty())
          work->problem = fmt::format(
              "{}by {} as well: the same name and seed ({}). They count for none of these students "
              "until the "
              "instructor has looked",
              shared_answers, grader::counted(copies.works.size() - 1, "other student"),
              person.second);
    }
  }
}

}  // namespace histolab::batch
