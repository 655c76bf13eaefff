#include "grader/batch/scores.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "grader/batch/extensions.h"
#include "grader/lab/catalogue.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

std::string day_of(std::int64_t at) {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(at)));
}

class ScoreReader {
 public:
  ScoreReader(Journal& journal, const Rubric& rubric) : journal_(journal), rubric_(rubric) {}

  Status read_allowances(std::vector<std::string>& unmatched) {
    const Meta meta = TRY(journal_.meta());
    if (meta.extensions.empty()) return histolab::Done{};
    Extensions extensions = TRY(read_extensions(kept_extensions, meta.extensions));
    std::vector<std::string> labs;
    TRY(journal_.database().each("SELECT name FROM lab ORDER BY position", {},
                                 [&](const Row& row) -> Status {
                                   labs.push_back(row.text(0));
                                   return histolab::Done{};
                                 }));
    // Other labs of the kit keep their names.
    for (ExtensionRow& row : extensions.rows)
      if (const Result<std::size_t> found = grader::find_lab_name(labs, row.lab))
        row.lab = labs[*found];
    const std::vector<Student> students = TRY(journal_.students());
    Allowances allowances = TRY(allowances_of(extensions, students));
    allowances_ = std::move(allowances.by_key);
    unmatched = std::move(allowances.unmatched);
    const std::vector<std::string> useless = useless_rows(extensions, rubric_.late, labs);
    unmatched.insert(unmatched.end(), useless.begin(), useless.end());
    return histolab::Done{};
  }

  // Collects all works of a student, because late days count over all labs.
  Status read_works(std::map<std::pair<std::string, std::string>, Score>& scores,
                    std::size_t& without_times) {
    std::string student;
    std::vector<LateWork> works;
    bool has_no_time = false;
    const auto end_student = [&] {
      const auto allowance = allowances_.find(student);
      const std::vector<LateMark> marks = late_marks(
          rubric_.late, allowance == allowances_.end() ? Allowance{} : allowance->second, works);
      for (std::size_t i = 0; i < works.size(); ++i)
        scores[{student, works[i].lab}] = {marks[i].score, marks[i].note, false};
      without_times += has_no_time ? 1 : 0;
      works.clear(), has_no_time = false;
    };
    Status read = journal_.database().each(
        "SELECT work.student, work.lab, work.at, work.late, result.status, result.score, "
        "work.kernel FROM student CROSS JOIN lab"
        " CROSS JOIN work ON work.student = student.key AND work.lab = lab.name"
        " JOIN result ON result.student = work.student AND result.lab = work.lab AND "
        "result.grading = work.grading ORDER BY student.key, lab.position",
        {}, [&](const Row& row) -> Status {
          if (row.text(0) != student) end_student(), student = row.text(0);
          if (is_without_mark(row.text(4))) return histolab::Done{};
          const std::string lab = row.text(1);
          const bool has_time = !row.is_null(2) || !row.is_null(3);
          works.push_back({lab, row.is_null(2) ? std::nullopt : std::optional{row.integer(2)},
                           row.integer(3) != 0, row.real(5)});
          has_no_time |= !has_time && !row.is_null(6) && rubric_.late.percent_a_day > 0 &&
                         rubric_.late.deadline_of(lab);
          return histolab::Done{};
        });
    end_student();
    return read;
  }

  Status read_hand_marks(std::map<std::pair<std::string, std::string>, Score>& scores,
                         std::vector<std::string>& unmatched) {
    const std::vector<HandMark> all = TRY(journal_.hand_marks());
    std::map<std::pair<std::string, std::string>, const HandMark*> last;
    for (const HandMark& each : all) last[{each.student, each.lab}] = &each;
    if (last.empty()) return histolab::Done{};
    std::map<std::pair<std::string, std::string>, std::string> gradings;
    TRY(journal_.database().each("SELECT student, lab, grading FROM work", {},
                                 [&](const Row& row) -> Status {
                                   gradings[{row.text(0), row.text(1)}] = row.text(2);
                                   return histolab::Done{};
                                 }));
    for (const auto& [of, mark] : last) {
      if (!mark->points) continue;
      const auto grading = gradings.find(of);
      if (grading == gradings.end()) {
        unmatched.push_back(
            fmt::format("the mark by hand of {} in {} is kept but not used: the class has no such "
                        "student or lab",
                        of.first, of.second));
        continue;
      }
      Score& score = scores[of];
      score.note = to_text(*mark) +
                   (grading->second == mark->grading
                        ? ""
                        : ". The submission, or its grading, has changed since") +
                   (score.note.empty() ? "" : ". Before: " + score.note);
      score.points = *mark->points, score.by_hand = true;
    }
    return histolab::Done{};
  }

 private:
  Journal& journal_;
  const Rubric& rubric_;
  std::map<std::string, Allowance> allowances_;
};

}  // namespace

std::string lateness_is_unknown(std::size_t without_times, std::size_t students) {
  return fmt::format(
      "There is a deadline, but the submission times of {} of {} are unknown: they have no "
      "deduction for lateness. Gradescope's export has the times. Moodle's grading worksheet also "
      "has them: use it as --roster, with a UTC offset in each time. --file-times uses the times "
      "of the files; `histolab mark` sets a mark by hand.",
      without_times, grader::counted(students, "student"));
}

std::string to_text(const HandMark& mark) {
  const std::string what = mark.points
                               ? fmt::format("set by hand to {}", grader::plain(*mark.points))
                               : std::string{"the mark by hand was removed"};
  return fmt::format("{} on {} by {}: {}", what, day_of(mark.at), mark.author, mark.reason);
}

Result<Scores> Scores::read(Journal& journal, const Rubric& rubric) {
  Scores scores;
  ScoreReader reader{journal, rubric};
  TRY(reader.read_allowances(scores.unmatched));
  TRY(reader.read_works(scores.scores_, scores.without_times));
  TRY(reader.read_hand_marks(scores.scores_, scores.unmatched));
  return scores;
}

const Score* Scores::of(const std::string& student, const std::string& lab) const {
  const auto found = scores_.find({student, lab});
  return found == scores_.end() ? nullptr : &found->second;
}

}  // namespace histolab::batch
