#include "grader/batch/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "grader/batch/second_result.h"
#include "grader/report/report_reader.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t results_at_once = 100;  // in memory

// Returns an Error if the two machines do not grade in the same way.
Status check_machine(Journal& journal, Journal& other, const std::string& from) {
  const Meta ours = TRY(journal.meta());
  const Meta theirs = TRY(other.meta());
  if (ours.seed != theirs.seed)  // not shown, because students must not know it
    return Error{fmt::format("{}: it has another --seed than this class", from)};
  const std::string data = std::to_string(ours.data_version);
  const std::string other_data = std::to_string(theirs.data_version);
  for (const auto& [what, here, there] :
       {std::tuple{"version of histolab", &ours.version, &theirs.version},
        {"version of the data", &data, &other_data},
        {"device", &ours.device_kind, &theirs.device_kind},
        {"GPU", &ours.gpu_name, &theirs.gpu_name},
        {"compiler", &ours.compiler, &theirs.compiler},
        {"sandbox", &ours.sandbox, &theirs.sandbox}})
    if (*here != *there)
      return Error{
          fmt::format("{}: its {} is {}, but here it is {}: the results would not be comparable",
                      from, what, there->empty() ? "unknown" : grader::harmless(*there),
                      here->empty() ? "unknown" : grader::harmless(*here))};
  return histolab::Done{};
}

Result<std::map<std::string, std::string>> solutions_of(Journal& journal) {
  std::map<std::string, std::string> solutions;
  TRY(journal.database().each("SELECT name, solution FROM lab", {}, [&](const Row& row) -> Status {
    solutions[row.text(0)] = row.text(1);
    return histolab::Done{};
  }));
  return solutions;
}

// The reports of the labs' solutions show whether both machines grade alike. A shard that was
// stopped before it graded the solutions has none, and no results either.
Status check_solutions(Journal& journal, Journal& other, const std::string& from) {
  const std::map<std::string, std::string> ours = TRY(solutions_of(journal));
  for (const auto& [lab, report] : TRY(solutions_of(other))) {
    const auto here = ours.find(lab);
    if (here == ours.end() || report.empty() || agree(here->second, report)) continue;
    return Error{fmt::format(
        "{}: its machine does not grade like this one: the solution of {} has another report there",
        from, grader::harmless(lab))};
  }
  return histolab::Done{};
}

// Whether the report says what the row says, about this submission.
bool is_consistent(const Task& task, const Outcome& outcome, const grader::LabSpec& lab) {
  const Result<grader::LabResult> report = grader::lab_result_from_json(outcome.report, "a report");
  if (!report || report->lab != task.lab || report->max_score != lab.max_score ||
      name(report->status) != outcome.status || outcome.score < 0 || outcome.score > lab.max_score)
    return false;
  const bool same_score =
      !has_mark(report->status) || static_cast<double>(report->score) == outcome.score;
  const std::string kernel = report->submission ? report->submission->sha256 : "";
  return same_score && kernel == task.kernel;
}

class Merging {
 public:
  Merging(Journal& journal, const std::string& from, const std::vector<grader::LabSpec>& labs)
      : journal_(journal), from_(from), labs_(labs) {}

  Status begin() {
    works_ = TRY(journal_.works());
    for (const Task& task : works_) by_work_[{task.student, task.lab}] = &task;
    return histolab::Done{};
  }

  // One row: the key, then the outcome.
  Status take(const std::string& student, const std::string& lab, const std::string& grading,
              Outcome outcome) {
    const auto at = by_work_.find({student, lab});
    const auto spec = std::ranges::find(labs_, lab, &grader::LabSpec::name);
    if (at == by_work_.end() || at->second->grading != grading || spec == labs_.end())
      return count(merged.foreign);
    const Task& task = *at->second;
    if (!is_consistent(task, outcome, *spec)) return count(merged.damaged);
    if (!outcome.dispute.empty()) {
      if (TRY(journal_.is_disputed(task))) return count(merged.known);
      return keep(task, std::move(outcome), merged.taken);
    }
    if (is_without_mark(outcome.status)) {
      if (task.problem.empty()) return count(merged.without_mark);
      // The file cannot be read: another try would not change that.
      const std::optional<Outcome> kept = TRY(journal_.finished(task));
      return kept ? count(merged.known) : keep(task, std::move(outcome), merged.taken);
    }
    const Comparison compared = TRY(compare_with_kept(journal_, task, outcome));
    switch (compared.second) {
      case Second::counts: return keep(task, std::move(outcome), merged.taken);
      case Second::disagrees:
        return keep(task,
                    disputed_outcome(*spec, task, compared.kept, "this journal", outcome, from_),
                    merged.disputed);
      default: return count(merged.known);
    }
  }

  Status flush() {
    TRY(journal_.add(taken_));
    taken_.clear();
    return histolab::Done{};
  }

  Merged merged;  // the counts so far

 private:
  static Status count(std::size_t& results) {
    ++results;
    return histolab::Done{};
  }
  Status keep(const Task& task, Outcome outcome, std::size_t& counted) {
    ++counted;
    const double seconds = outcome.seconds;
    taken_.push_back({&task, std::make_shared<const Outcome>(std::move(outcome)), seconds});
    return taken_.size() < results_at_once ? Status{histolab::Done{}} : flush();
  }

  Journal& journal_;
  const std::string& from_;
  const std::vector<grader::LabSpec>& labs_;
  std::vector<Task> works_;
  std::map<std::pair<std::string, std::string>, const Task*> by_work_;
  std::vector<Journal::Done> taken_;
};

}  // namespace

Result<Merged> merge_from(Journal& journal, const std::string& from,
                          const std::vector<grader::LabSpec>& labs) {
  Journal other = TRY(Journal::read(from));
  TRY(check_machine(journal, other, from));
  TRY(check_solutions(journal, other, from));
  Merging merging{journal, from, labs};
  TRY(merging.begin());
  const std::string intact = other.result_is_intact();
  TRY(other.database().each(
      fmt::format("SELECT student, lab, grading, status, score, report, seconds, node, dispute, {} "
                  "FROM result ORDER BY student, lab, grading",
                  intact),
      {}, [&](const Row& row) -> Status {
        if (row.integer(9) == 0) {
          ++merging.merged.damaged;
          return histolab::Done{};
        }
        return merging.take(
            row.text(0), row.text(1), row.text(2),
            {row.text(3), row.real(4), row.text(5), row.real(6), row.text(7), row.text(8)});
      }));
  TRY(merging.flush());
  return merging.merged;
}

std::string to_text(const Merged& merged) {
  std::string text = grader::counted(merged.taken, "result");
  for (const auto& [count, what] :
       {std::pair{merged.known, "already there"},
        {merged.disputed, "not like the one already there, so left to a person"},
        {merged.without_mark, "without a mark, graded again here"},
        {merged.foreign, "of another class, lab or assignment"},
        {merged.damaged, "damaged"}})
    if (count > 0) text += fmt::format("; {} {}", count, what);
  return text;
}

}  // namespace histolab::batch
