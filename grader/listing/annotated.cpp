#include "grader/listing/annotated.h"

#include <algorithm>
#include <utility>

#include "grader/words/code_text.h"
#include "grader/words/words.h"

namespace histolab::grader {

using reference::LineCounters;
using reference::Traffic;

LineCost cost_of(const Traffic& t) {
  LineCost cost;
  cost.requests = t.requests(), cost.barriers = t.barriers;
  if (cost.requests == 0) return cost;
  const std::uint64_t global =
      t.global_load.requests + t.global_store.requests + t.global_atomic.requests;
  const std::uint64_t sectors =
      t.global_load.sectors + t.global_store.sectors + t.global_atomic.sectors;
  if (global != 0) cost.sectors = static_cast<double>(sectors) / static_cast<double>(global);
  if (cost.requests != global)
    cost.conflicts = t.shared_load.bank_conflicts + t.shared_store.bank_conflicts +
                     t.shared_atomic.bank_conflicts;
  cost.lanes = static_cast<double>(t.lanes()) / static_cast<double>(cost.requests);
  if (const std::uint64_t degree =
          std::max(t.global_contention.degree_max(), t.shared_contention.degree_max());
      degree != 0)
    cost.degree = degree;
  return cost;
}

namespace {

const std::string& other_file(const kernels::Finding& finding) {
  return finding.other_file.empty() ? finding.file : finding.other_file;
}

}  // namespace

Annotated annotated(const std::string& source, std::string file,
                    std::span<const LineCounters> counted, const Traffic& all,
                    std::span<const kernels::Finding> findings) {
  Annotated made;
  made.file = std::move(file);
  const auto lines = static_cast<int>(std::count(source.begin(), source.end(), '\n')) +
                     (source.ends_with('\n') ? 0 : 1);
  for (int number = 1; number <= lines; ++number) {
    AnnotatedLine& line = made.lines.emplace_back();
    line.number = number;
    line.code = flat(line_of(source, number));
    Traffic here;
    for (const LineCounters& each : counted)
      if (each.line == number) here += each.counters;
    line.cost = cost_of(here);
    for (const kernels::Finding& finding : findings)
      if ((finding.line == number && finding.file == made.file) ||
          (finding.other_line == number && other_file(finding) == made.file))
        line.findings.push_back(&finding);
  }
  Traffic elsewhere;
  for (const LineCounters& each : counted)
    if (each.line < 1 || each.line > lines) elsewhere += each.counters;
  if (elsewhere.requests() + elsewhere.barriers != 0) made.elsewhere = cost_of(elsewhere);
  made.all = cost_of(all);
  for (const kernels::Finding& finding : findings)
    if (finding.file == made.file && (finding.line < 1 || finding.line > lines))
      made.unplaced.push_back(&finding);
  return made;
}

Annotated annotated(const RunReport& run, const std::string& source, const CaseResult* solution) {
  const CaseResult& result = run.result;
  Annotated made = annotated(source, {}, result.lines, result.totals, result.findings);
  if (solution != nullptr && result.completed() && solution->completed()) {
    made.solution = cost_of(solution->totals);
    if (result.correct) made.gaps = gaps(result, *solution);  // wrong results come first
  }
  for (AnnotatedLine& line : made.lines)
    for (const CounterGap& gap : made.gaps)
      if (gap.line == line.number) line.remarks.push_back(&gap);
  return made;
}

}  // namespace histolab::grader
