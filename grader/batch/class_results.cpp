#include "grader/batch/class_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "grader/batch/journal.h"
#include "grader/batch/keys.h"
#include "grader/batch/likeness.h"
#include "grader/batch/rubric.h"
#include "grader/files/sha256.h"
#include "grader/report/report_reader.h"

namespace histolab::batch {
namespace {

class Reader {
 public:
  Reader(Journal& journal, Rubric rubric) : journal_(journal), rubric_(std::move(rubric)) {}

  Result<ClassResults> read(const TakeMark& take) {
    for (const auto part : {&Reader::read_meta, &Reader::read_labs, &Reader::read_students, &Reader::check_works, &Reader::count_outstanding, &Reader::compare_sources})
      if (Status fine = (this->*part)(); !fine) return fine.error();
    if (Status fine = read_marks(take); !fine) return fine.error();
    return std::move(class_);
  }

 private:
  Status read_meta() {
    const Result<Meta> meta = journal_.meta();
    if (!meta) return meta.error();
    class_.version = meta->version, class_.device_kind = meta->device_kind, class_.device_name = meta->device_name, class_.sandbox = meta->sandbox;
    class_.gpu_name = meta->gpu_name, class_.gpu_driver = meta->gpu_driver;
    return histolab::Done{};
  }

  Status read_labs() {
    return journal_.database().each("SELECT name, title, max_score, stub, solution FROM lab ORDER BY position", {}, [&](const Row& row) -> Status {
      Lab lab;
      lab.name = row.text(0), lab.title = row.text(1), lab.max_score = static_cast<int>(row.integer(2)), lab.stub = row.text(3);
      if (!row.is_null(4)) {
        Result<grader::LabResult> solution = grader::lab_result_from_json(row.text(4), "the journal's solution of " + lab.name);
        if (!solution) return solution.error();
        lab.solution = std::move(*solution);
      }
      labs_[lab.name] = class_.labs.size();
      class_.labs.push_back(std::move(lab));
      return histolab::Done{};
    });
  }

  Status read_students() {
    return journal_.database().each("SELECT key, name, id, sis_id, login, section, email, problem FROM student ORDER BY key", {}, [&](const Row& row) -> Status {
      if (!is_key(row.text(0))) return Error{"the journal is damaged: it has a student whose key is none"};  // a file may be named by it
      entries_[row.text(0)] = class_.entries.size();
      class_.entries.push_back({{row.text(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6)}, row.text(7), {}});
      return histolab::Done{};
    });
  }

  // Each student has a work in each lab, if only an empty one, and nobody else has.
  Status check_works() {
    const auto works = journal_.database().number("SELECT count(*) FROM work");
    const auto known = journal_.database().number("SELECT count(*) FROM work JOIN student ON student.key = work.student JOIN lab ON lab.name = work.lab");
    if (!works) return works.error();
    if (!known) return known.error();
    if (*works == *known && static_cast<std::size_t>(*known) == class_.labs.size() * class_.entries.size()) return histolab::Done{};
    return Error{"the journal is damaged: its works are not those of its students in its labs"};
  }

  Status count_outstanding() {
    const auto count = journal_.database().number(
        "SELECT count(*) FROM work WHERE NOT EXISTS (SELECT 1 FROM result WHERE result.student = work.student AND result.lab = work.lab AND result.grading = work.grading)");
    if (!count) return count.error();
    class_.outstanding = static_cast<std::size_t>(*count);
    return histolab::Done{};
  }

  Status compare_sources() {
    for (std::size_t lab = 0; lab < class_.labs.size(); ++lab) {
      std::vector<Source> sources;
      Status read = journal_.database().each("SELECT work.student, source.text FROM work JOIN source ON source.sha256 = work.kernel WHERE work.lab = ? ORDER BY work.student", {class_.labs[lab].name},
                                             [&](const Row& row) -> Status { return sources.push_back({entries_.at(row.text(0)), row.text(1)}), histolab::Done{}; });
      if (!read) return read;
      const std::vector<Likeness> found = alike_of(lab, sources, class_.labs[lab].stub);
      class_.alike.insert(class_.alike.end(), found.begin(), found.end());
    }
    return histolab::Done{};
  }

  Status read_marks(const TakeMark& take) {
    if (Status whole = journal_.check_class(); !whole) return whole;
    return journal_.database().each(
        "SELECT work.student, work.lab, work.at, work.late, result.report, result.seconds, "
        "source.text, work.kernel, " +
            journal_.result_is_intact("work.student, work.lab, work.grading") +
            " FROM student JOIN lab JOIN work ON work.student = student.key AND work.lab = lab.name"
            " LEFT JOIN result ON result.student = work.student AND result.lab = work.lab AND "
            "result.grading = work.grading"
            " LEFT JOIN source ON source.sha256 = work.kernel ORDER BY student.key, lab.position",
        {}, [&](const Row& row) -> Status {
          const std::string student = row.text(0), lab = row.text(1);
          const std::size_t at = labs_.at(lab);
          if (!row.is_null(4) && row.integer(8) == 0)
            return Error{
                fmt::format("the journal is damaged: the result of {} in {} has changed since it "
                            "was written. `histolab batch` with --resume grades it again",
                            student, lab)};
          if (!row.is_null(7) && !row.text(7).empty() && grader::sha256(row.text(6)) != row.text(7))
            return Error{
                fmt::format("the journal is damaged: the submission of {} in {} has changed since "
                            "it was written. Take a copy of it back, or run `histolab batch` with "
                            "--resume on the same class",
                            student, lab)};
          Mark mark;
          if (row.is_null(4)) {
            mark.result.lab = lab, mark.result.title = class_.labs[at].title, mark.result.max_score = class_.labs[at].max_score;
            mark.result.status = grader::Verdict::needs_review, mark.outstanding = true;
            mark.note = mark.result.message = "not graded yet: the batch was stopped, or runs; --resume goes on";
            return take(class_, entries_.at(student), at, std::move(mark));
          }
          Result<grader::LabResult> result = grader::lab_result_from_json(row.text(4), "the journal's result of " + student + " in " + lab);
          if (!result) return result.error();
          mark.result = std::move(*result);
          if (mark.result.submission) mark.result.submission->text = row.text(6);
          mark.seconds = row.real(5);
          if (!has_mark(mark.result.status)) {
            mark.note = mark.result.message;
          } else {
            LateMark late = late_mark(rubric_.late, lab, row.is_null(2) ? std::nullopt : std::optional{row.integer(2)}, row.integer(3) != 0, mark.result.score);
            mark.score = late.score, mark.note = std::move(late.note);
          }
          return take(class_, entries_.at(student), at, std::move(mark));
        });
  }

  Journal& journal_;
  Rubric rubric_;
  ClassResults class_;
  std::map<std::string, std::size_t> labs_, entries_;
};

}  // namespace

Result<ClassResults> for_each_mark(const std::string& out, const TakeMark& take) {
  Result<Journal> journal = Journal::read(out);
  if (!journal) return journal.error();
  const Result<Meta> meta = journal->meta();
  if (!meta) return meta.error();
  if (meta->version.empty()) return Error{out + ": nothing was graded in it yet; `histolab batch DIR --out OUT --resume` goes on"};
  Result<Rubric> rubric = rubric_in(*meta);
  if (!rubric) return rubric.error();
  // One state of the journal, though it may grow.
  if (Status begun = journal->database().run("BEGIN"); !begun) return begun.error();
  return Reader{*journal, std::move(*rubric)}.read(take);
}

Result<ClassResults> read_class(const std::string& out) {
  std::vector<std::vector<Mark>> marks;
  Result<ClassResults> found = for_each_mark(out, [&](const ClassResults& class_, std::size_t entry, std::size_t, Mark mark) -> Status {
    marks.resize(class_.entries.size());
    marks[entry].push_back(std::move(mark));
    return histolab::Done{};
  });
  if (!found) return found;
  for (std::size_t i = 0; i < marks.size(); ++i) found->entries[i].marks = std::move(marks[i]);
  return found;
}

}  // namespace histolab::batch
