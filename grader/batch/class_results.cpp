#include "grader/batch/class_results.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "grader/batch/journal.h"
#include "grader/batch/keys.h"
#include "grader/batch/known_sources.h"
#include "grader/batch/likeness.h"
#include "grader/batch/rubric.h"
#include "grader/batch/scores.h"
#include "grader/batch/shared_answers.h"
#include "grader/files/sha256.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

// The mark of a work that is not graded yet.
Mark outstanding_mark(const Lab& lab) {
  Mark mark;
  mark.result.lab = lab.name, mark.result.title = lab.title, mark.result.max_score = lab.max_score;
  mark.result.status = grader::Verdict::needs_review, mark.outstanding = true;
  mark.note = mark.result.message =
      "not graded yet: the batch was stopped or is still running; --resume continues it";
  return mark;
}

}  // namespace

struct ClassReader::State {
  State(Journal journal, Rubric rubric)
      : journal_(std::move(journal)), rubric_(std::move(rubric)) {}

  Status read() {
    // A transaction, so that all queries see the same state while the journal grows.
    TRY(journal_.database().run("BEGIN"));
    TRY(journal_.check_class());
    for (const auto part : {&State::read_meta, &State::read_labs, &State::read_students,
                            &State::check_works, &State::count_outstanding, &State::read_scores})
      TRY((this->*part)());
    return histolab::Done{};
  }

  Status read_meta() {
    const Meta meta = TRY(journal_.meta());
    class_.version = meta.version, class_.device_kind = meta.device_kind,
    class_.device_name = meta.device_name, class_.sandbox = meta.sandbox;
    class_.gpu_name = meta.gpu_name, class_.gpu_driver = meta.gpu_driver;
    class_.remarks = grader::lines_of(meta.remarks);
    return histolab::Done{};
  }

  Status read_labs() {
    return journal_.database().each(
        "SELECT name, title, max_score, stub, solution FROM lab ORDER BY position", {},
        [&](const Row& row) -> Status {
          Lab lab;
          lab.name = row.text(0), lab.title = row.text(1),
          lab.max_score = static_cast<int>(row.integer(2)), lab.stub = row.text(3),
          lab.weight = rubric_.weight_of(lab.name);
          if (!row.is_null(4)) {
            lab.solution = TRY(
                grader::lab_result_from_json(row.text(4), "the journal's solution of " + lab.name));
          }
          labs_[lab.name] = class_.labs.size();
          class_.labs.push_back(std::move(lab));
          return histolab::Done{};
        });
  }

  Status read_students() {
    return journal_.database().each(
        "SELECT key, name, id, sis_id, login, section, email, problem FROM student ORDER BY key",
        {}, [&](const Row& row) -> Status {
          // Keys are used as file names.
          if (!is_key(row.text(0)))
            return Error{"the journal is damaged: a student has an invalid key"};
          entries_[row.text(0)] = class_.entries.size();
          class_.entries.push_back({{row.text(0), row.text(1), row.text(2), row.text(3),
                                     row.text(4), row.text(5), row.text(6)},
                                    row.text(7),
                                    {}});
          return histolab::Done{};
        });
  }

  // Each student must have a work for each lab (it may be empty), and there must be no others.
  Status check_works() {
    const auto works = TRY(journal_.database().number("SELECT count(*) FROM work"));
    const auto known = TRY(journal_.database().number(
        "SELECT count(*) FROM work JOIN student ON student.key = work.student JOIN lab ON lab.name "
        "= work.lab"));
    if (works == known &&
        static_cast<std::size_t>(known) == class_.labs.size() * class_.entries.size())
      return histolab::Done{};
    return Error{"the journal is damaged: its works do not match its students and labs"};
  }

  Status count_outstanding() {
    const auto count = TRY(journal_.database().number(
        "SELECT count(*) FROM work WHERE NOT EXISTS (SELECT 1 FROM result WHERE result.student = "
        "work.student AND result.lab = work.lab AND result.grading = work.grading)"));
    class_.outstanding = static_cast<std::size_t>(count);
    return histolab::Done{};
  }

  Status read_scores() {
    scores_ = TRY(Scores::read(journal_, rubric_));
    if (scores_.without_times > 0)
      class_.lateness = lateness_is_unknown(scores_.without_times, class_.entries.size());
    return histolab::Done{};
  }

  Status compare_sources() {
    class_.alike.clear();
    for (std::size_t lab = 0; lab < class_.labs.size(); ++lab) {
      LikenessSearch search{lab, class_.labs[lab].stub, class_.entries.size()};
      TRY(journal_.database().each(
          "SELECT work.student, source.text FROM work JOIN source ON source.sha256 = work.kernel "
          "WHERE work.lab = ? ORDER BY work.student",
          {class_.labs[lab].name}, [&](const Row& row) -> Status {
            search.add(entries_.at(row.text(0)), row.text(1));
            return histolab::Done{};
          }));
      const std::vector<Likeness> found = search.found();
      class_.alike.insert(class_.alike.end(), found.begin(), found.end());
      TRY(compare_answers(lab));
    }
    return compare_with_known();
  }

  // Compares with the course's code and earlier classes.
  Status compare_with_known() {
    class_.known.clear();
    for (KnownLikeness& each : TRY(find_known(journal_.database()))) {
      const std::size_t entry = entries_.at(each.student);
      class_.alike.push_back({labs_.at(each.source.lab), entry, entry, each.share, each.identical,
                              false, each.renamed, class_.known.size()});
      class_.known.push_back(std::move(each.source));
    }
    return histolab::Done{};
  }

  Result<std::pair<std::string, std::string>> texts_of(const Likeness& alike) {
    const auto kernel_of = [&](std::size_t entry, std::string& text) {
      return journal_.database().each(
          "SELECT source.text FROM work JOIN source ON source.sha256 = work.kernel WHERE "
          "work.student = ? AND work.lab = ?",
          {class_.entries[entry].student.key, class_.labs[alike.lab].name},
          [&](const Row& row) -> Status {
            text = row.text(0);
            return histolab::Done{};
          });
    };
    std::pair<std::string, std::string> texts;
    TRY(kernel_of(alike.first, texts.first));
    TRY(alike.known
            ? read_known(journal_.database(), class_.known[*alike.known].number, texts.second)
            : kernel_of(alike.second, texts.second));
    return texts;
  }

  // For m students with the same quiz: pairs of the first one with each other one, as for kernels.
  Status compare_answers(std::size_t lab) {
    std::map<std::string, std::size_t> first_with;  // by Work::problem, which has the seed
    return journal_.database().each(
        fmt::format("SELECT student, problem FROM work WHERE lab = ? AND problem LIKE '{}%' ORDER "
                    "BY student",
                    shared_answers),
        {class_.labs[lab].name}, [&](const Row& row) -> Status {
          const std::size_t entry = entries_.at(row.text(0));
          const auto [first, is_new] = first_with.try_emplace(row.text(1), entry);
          if (!is_new) class_.alike.push_back({lab, first->second, entry, 1, true, true});
          return histolab::Done{};
        });
  }

  static Mark mark_of(const Row& row, grader::LabResult result) {
    Mark mark;
    mark.result = std::move(result);
    if (mark.result.submission) mark.result.submission->text = row.text(6);
    mark.seconds = row.real(5);
    mark.note = has_mark(mark.result.status) ? std::string{} : mark.result.message;
    mark.path = row.text(9);
    return mark;
  }
  // Returns an Error if a result has no score. A damaged index may hide it from only one query.
  Status set_score(Mark& mark, const std::string& student, const Lab& lab) const {
    mark.weight = lab.weight;
    const Score* const score = scores_.of(student, lab.name);
    if (score != nullptr && (score->by_hand || !mark.outstanding))
      mark.score = score->points, mark.note = score->note, mark.by_hand = score->by_hand;
    if (score != nullptr || !mark.has_score()) return histolab::Done{};
    return Error{
        fmt::format("the journal is damaged: it has no score of {} in {}. Restore a backup, or run "
                    "`histolab batch` with --resume on the same class",
                    student, lab.name)};
  }

  // Returns an Error if the result or the submission has changed since it was written.
  static Status check_row(const Row& row, const std::string& student, const std::string& lab) {
    if (!row.is_null(4) && row.integer(8) == 0)
      return Error{
          fmt::format("the journal is damaged: the result of {} in {} has changed since it was "
                      "written. `histolab batch` with --resume grades it again",
                      student, lab)};
    if (!row.is_null(7) && !row.text(7).empty() && grader::sha256(row.text(6)) != row.text(7))
      return Error{fmt::format(
          "the journal is damaged: the submission of {} in {} has changed since it was written. "
          "Restore a backup, or run `histolab batch` with --resume on the same class",
          student, lab)};
    return histolab::Done{};
  }

  // CROSS JOIN makes SQLite use this order of the tables. Sorting would keep every report in
  // memory.
  Status read_marks(const std::string* only, const TakeEntry& take) {
    std::size_t number = 0;
    Entry entry;
    return journal_.database().each(
        fmt::format("SELECT work.student, work.lab, work.at, work.late, result.report, "
                    "result.seconds, source.text, work.kernel, {}, work.path"
                    " FROM student CROSS JOIN lab"
                    " CROSS JOIN work ON work.student = student.key AND work.lab = lab.name"
                    " LEFT JOIN result ON result.student = work.student AND result.lab = work.lab "
                    "AND result.grading = work.grading"
                    " LEFT JOIN source ON source.sha256 = work.kernel {} ORDER BY student.key, "
                    "lab.position",
                    journal_.result_is_intact("work.student, work.lab, work.grading"),
                    only == nullptr ? "WHERE ? = ''" : "WHERE student.key = ?"),
        {only == nullptr ? std::string{} : *only}, [&](const Row& row) -> Status {
          const std::string student = row.text(0), lab = row.text(1);
          const Lab& of = class_.labs[labs_.at(lab)];
          TRY(check_row(row, student, lab));
          if (entry.marks.empty()) {
            number = entries_.at(student);
            entry = class_.entries[number];
          }
          if (row.is_null(4)) {
            entry.marks.push_back(outstanding_mark(of));
          } else {
            grader::LabResult result = TRY(grader::lab_result_from_json(
                row.text(4), "the journal's result of " + student + " in " + lab));
            entry.marks.push_back(mark_of(row, std::move(result)));
          }
          TRY(set_score(entry.marks.back(), student, of));
          if (entry.marks.size() < class_.labs.size()) return histolab::Done{};
          return take(number, std::exchange(entry, {}));
        });
  }

  Journal journal_;
  Rubric rubric_;
  Scores scores_;
  ClassResults class_;
  std::map<std::string, std::size_t> labs_, entries_;
};

ClassReader::ClassReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
ClassReader::ClassReader(ClassReader&&) noexcept = default;
ClassReader::~ClassReader() = default;

Result<ClassReader> ClassReader::open(const std::string& out) {
  Journal journal = TRY(Journal::read(out));
  const Meta meta = TRY(journal.meta());
  if (meta.version.empty())
    return Error{out +
                 ": nothing was graded yet; continue with `histolab batch DIR --out OUT --resume`"};
  Rubric rubric = TRY(rubric_in(meta));
  auto state = std::make_unique<State>(std::move(journal), std::move(rubric));
  TRY(state->read());
  return ClassReader{std::move(state)};
}

const ClassResults& ClassReader::results() const { return state_->class_; }
Status ClassReader::find_alike() { return state_->compare_sources(); }
Result<std::pair<std::string, std::string>> ClassReader::texts_of(const Likeness& alike) {
  return state_->texts_of(alike);
}
Status ClassReader::each(const TakeEntry& take) { return state_->read_marks(nullptr, take); }
Status ClassReader::one(std::size_t number, const TakeEntry& take) {
  return state_->read_marks(&state_->class_.entries[number].student.key, take);
}
ClassSource ClassReader::source() {
  return {state_->class_, [this](const TakeEntry& take) { return each(take); },
          [this](const Likeness& alike) { return texts_of(alike); }};
}

}  // namespace histolab::batch
