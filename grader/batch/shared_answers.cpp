#include "grader/batch/shared_answers.h"

#include <fmt/format.h>

#include "grader/quiz/answers.h"
#include "grader/words/words.h"

namespace histolab::batch {

std::optional<SharedAnswers::Quiz> SharedAnswers::quiz_of(const HandIn& one,
                                                          const std::string& lab) {
  const auto work = one.works.find(lab);
  if (work == one.works.end() || !work->second.sheet) return std::nullopt;
  const Result<quiz::Sheet> sheet = quiz::sheet_of(lab + ".quiz.json", *work->second.sheet, lab);
  // The default quiz has no points, and an unanswered one has nothing to share.
  if (!sheet || sheet->person.has_defaults() || sheet->answers.empty()) return std::nullopt;
  return Quiz{lab, sheet->person.student, sheet->person.seed};
}

SharedAnswers::SharedAnswers(const HandIns& class_, const std::vector<grader::LabSpec>& labs) {
  for (const grader::LabSpec& lab : labs)
    if (lab.has_check(grader::CheckKind::quiz)) labs_.push_back(lab.name);
  for (std::size_t i = 0; i < class_.count && !labs_.empty(); ++i) {
    const HandIn one = class_.at(i);
    for (const std::string& lab : labs_) {
      const std::optional<Quiz> quiz = quiz_of(one, lab);
      if (!quiz) continue;
      Copies& copies = copies_[*quiz];
      copies.files.insert(one.works.at(lab).sheet_path);
      ++copies.students;
    }
  }
  std::erase_if(copies_, [](const auto& each) { return each.second.files.size() < 2; });
}

void SharedAnswers::mark(HandIn& one) const {
  for (const std::string& lab : labs_) {
    const std::optional<Quiz> quiz = quiz_of(one, lab);
    const auto copies = quiz ? copies_.find(*quiz) : copies_.end();
    if (copies == copies_.end()) continue;
    std::string& problem = one.works.at(lab).problem;
    if (problem.empty())
      problem = fmt::format(
          "{}by {} as well: the same name and seed ({}). They count for none of these students "
          "until the instructor has reviewed them",
          shared_answers, grader::counted(copies->second.students - 1, "other student"),
          std::get<2>(*quiz));
  }
}

}  // namespace histolab::batch
