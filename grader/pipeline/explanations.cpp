#include "grader/pipeline/explanations.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/pipeline/source_causes.h"
#include "grader/report/case_text.h"
#include "kernels/code_tokens.h"
#include "kernels/variable_declaration.h"

namespace histolab::grader {
namespace {

using kernels::Ending;
using kernels::FindingKind;

bool counts_wrongly(const LabResult& result) {
  return std::any_of(result.cases.begin(), result.cases.end(), [](const CaseResult& each) {
    return each.completed() && !each.mismatches.empty();
  });
}

// Returns an export of the lab that the kernel lacks, or null.
const ExportSpec* absent_export(const LabSpec& lab, const kernels::Compiled& compiled) {
  const auto absent = std::ranges::find_if(
      lab.exports, [&](const ExportSpec& spec) { return !compiled.exports.contains(spec.name); });
  return absent == lab.exports.end() ? nullptr : &*absent;
}

// Returns true if the finding is an access beyond memory whose size the export decides. Without an
// export for shared memory, dynamic arrays have no elements.
bool is_beyond_exported_size(const LabSpec& lab, const ExportSpec& spec,
                             const kernels::Finding& finding) {
  if (finding.kind != FindingKind::out_of_bounds || finding.index.value_or(0) < 0) return false;
  const auto is_output = [&](const KernelArgument& a) {
    return a.kind == KernelArgument::Kind::output && a.name == finding.variable;
  };
  return std::ranges::any_of(lab.kernels, [&](const KernelSpec& kernel) {
    if (kernel.copies == spec.name) return std::ranges::any_of(kernel.arguments, is_output);
    return kernel.launch.shared_export == spec.name && finding.space == kernels::Space::shared &&
           finding.message.find("has no elements here") != std::string::npos;
  });
}

// Returns true if the absent export may be the cause. A different grid causes wrong counts, too
// little memory causes an access beyond its end.
bool may_lack_export(const LabSpec& lab, const ExportSpec& spec, const CheckSpec& check,
                     const CheckResult& judged, const LabResult& result) {
  if (judged.status != CheckResult::Status::failed) return false;
  if (check.kind != CheckKind::matches_reference && check.kind != CheckKind::no_findings)
    return false;
  if (judged.cause && is_beyond_exported_size(lab, spec, *judged.cause)) return true;
  const auto decides_grid = [&](const KernelSpec& kernel) {
    return kernel.launch.factor == spec.name;
  };
  return check.kind == CheckKind::matches_reference &&
         std::ranges::any_of(lab.kernels, decides_grid) && counts_wrongly(result);
}

// Returns the variables that kept values from an earlier launch when the failing launch began.
// Fails here means wrong counts or an early end. Returns nothing for a first launch.
std::vector<std::string> kept_by(const std::vector<CaseResult>& cases, const CheckResult& judged) {
  for (const CaseResult& each : cases) {
    if (described(each, judged.launch) != judged.seen.where) continue;
    const std::size_t launch = judged.launch > 0                  ? judged.launch
                               : each.ending != Ending::completed ? each.runs.size()
                                                                  : 0;
    if (launch >= 2 && launch <= each.runs.size()) return each.runs[launch - 1].kept_variables;
  }
  return {};
}

}  // namespace

void explain_absent_export(const LabSpec& lab, const CheckSpec& check,
                           const kernels::Compiled& compiled, const LabResult& result,
                           CheckResult& judged) {
  const ExportSpec* absent = absent_export(lab, compiled);
  if (absent == nullptr || !may_lack_export(lab, *absent, check, judged, result)) return;
  judged.seen.note = fmt::format("the kernel does not export {}, so it was launched with {}",
                                 absent->name, absent->fallback);
  if (!judged.cause || !is_beyond_exported_size(lab, *absent, *judged.cause)) return;
  judged.seen.next = fmt::format("Write {}", kernels::export_declaration(absent->name));
  judged.hint_fits = false;
}

void explain_by_source(const LabSpec& lab, const LabResult& result, CheckResult& judged) {
  if (judged.status != CheckResult::Status::failed || !result.submission) return;
  if (lab.program) return;  // the program decides the launch, not the case
  const auto where = std::ranges::find_if(result.cases, [&](const CaseResult& each) {
    return described(each, judged.launch) == judged.seen.where;
  });
  if (where == result.cases.end()) return;
  WrongLaunch launch;
  launch.grid = where->grid;
  launch.block = where->block;
  launch.length = where->length;
  if (judged.cause) {
    const auto is_read = [&](const KernelArgument& argument) {
      return argument.kind == KernelArgument::Kind::input &&
             argument.name == judged.cause->variable;
    };
    const std::int64_t index = judged.cause->index.value_or(-1);
    const bool is_beyond = judged.tells_cause && judged.cause->kind == FindingKind::out_of_bounds &&
                           index >= 0 &&
                           std::ranges::any_of(lab.kernels.at(where->kernel).arguments, is_read);
    if (!is_beyond) return;
    launch.beyond = static_cast<std::uint64_t>(index);
  } else if (!where->completed() || where->mismatches.empty()) {
    return;
  }
  launch.too_many = std::ranges::any_of(
      where->mismatches, [](const Mismatch& each) { return each.got > each.expected; });
  launch.wants_shared = std::ranges::any_of(lab.checks, [](const CheckSpec& check) {
    return check.kind == CheckKind::counter_at_least &&
           check.counter == "histolab__used_shared_writes.sum";
  });
  launch.leaves_unread =
      std::ranges::any_of(where->runs, [](const LaunchResult& run) { return run.unread > 0; });
  const KernelSpec& kernel = lab.kernels.at(where->kernel);
  const auto output =
      std::ranges::find(kernel.arguments, KernelArgument::Kind::output, &KernelArgument::kind);
  launch.kernel = kernel.name;
  if (kernel.task.initial() == 0 && output != kernel.arguments.end()) launch.output = output->name;
  const std::optional<SourceCause> cause = source_cause(result.submission->text, launch);
  if (!cause) return;
  judged.seen.why = cause->why;
  judged.seen.next = cause->next;
  judged.hint_fits = false;
  if (judged.line == 0) judged.line = cause->line;
}

void explain_kept_variables(const LabResult& result, CheckResult& judged) {
  if (judged.status != CheckResult::Status::failed) return;
  const std::vector<std::string> kept = kept_by(result.cases, judged);
  if (kept.empty() || (judged.cause && judged.launch > 0)) return;
  // A finding's message leaves little space.
  if (judged.cause) {
    const bool is_in_finding = std::ranges::find(kept, judged.cause->variable) != kept.end();
    judged.seen.why = fmt::format("{} begins this launch with the value from the previous launch",
                                  is_in_finding ? judged.cause->variable : kept.front());
    return;
  }
  judged.seen.why = fmt::format(
      "a __device__ variable keeps its value: {} begins this launch with the value from the "
      "previous launch",
      kept.front());
  const std::vector<kernels::CodeToken> tokens = kernels::code_tokens(result.submission->text);
  const auto declared = std::ranges::find_if(
      tokens, [&](const kernels::CodeToken& token) { return token.is(kept.front()); });
  if (declared != tokens.end()) judged.line = declared->line;
  judged.seen.next =
      fmt::format("Set {} back before the kernel ends, in the last block to finish", kept.front());
  judged.hint_fits = false;
}

void explain_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged) {
  const bool is_of_it = judged.seen.where == described(wrong, judged.launch);
  if (judged.status != CheckResult::Status::failed || judged.cause || !is_of_it) return;
  if (of_blocks && wrong.block_order == kernels::BlockOrder::interleaved) {
    judged.seen.why = "the same case is right if blocks run one after another";
    judged.seen.next =
        "Between your read of a word and your write, another block may update it. Use one atomic "
        "operation such as atomicAdd, or atomicCAS in a retry loop";
  } else if (of_blocks) {
    judged.seen.why = "the same case is right if blocks run in ascending order";
    judged.seen.next =
        "The order of blocks does not follow their numbers. After __threadfence() and "
        "__syncthreads(), let "
        "the "
        "block with the last ticket do the work that needs the others";
  } else {
    judged.seen.why = "the same case is right if warps take turns in ascending order";
    judged.seen.next =
        "The order of threads and blocks does not follow their numbers. Put __syncthreads() "
        "between the phases of "
        "a "
        "block: zero, count, commit";
  }
  judged.hint_fits = false;
}

void report_order(const CaseResult& wrong, bool of_blocks, CheckResult& judged) {
  if (judged.status != CheckResult::Status::passed) return;
  judged.status = CheckResult::Status::failed;
  judged.score = 0;
  judged.seen = {.where = described(wrong),
                 .what = "the result depends on the order in which threads run"};
  judged.launch = 0;
  explain_order(wrong, of_blocks, judged);
}

void keep_one_advice(CheckResult& judged) {
  if (judged.status != CheckResult::Status::failed) return;
  const std::string of_cause = judged.cause && !judged.tells_cause
                                   ? kernels::parts_of(judged.cause->message).next
                                   : std::string{};
  const std::string own = of_cause.empty() ? judged.seen.next : of_cause;
  if (!own.empty() && (!judged.hint_fits || judged.hint.empty())) judged.hint = own;
  judged.hint_fits = !judged.hint.empty();
  judged.seen.next.clear();
}

}  // namespace histolab::grader
