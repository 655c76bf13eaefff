#include "grader/class_report/figures.h"

#include <algorithm>
#include <string_view>

namespace histolab::class_report {
namespace {

using grader::CaseResult;

double value(const CaseResult& result, std::string_view counter) {
  const auto found =
      std::find_if(result.counters.begin(), result.counters.end(),
                   [&](const reference::CounterValue& each) { return each.name == counter; });
  return found == result.counters.end() ? 0 : found->value;
}

std::array<double, figure_columns.size()> figures(const CaseResult& result) {
  return {value(result, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"),
          value(result, "histolab__global_atomic_updates.sum"),
          value(result, "histolab__shared_atomic_updates.sum"),
          value(result, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum") +
              value(result, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum") +
              value(result, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"),
          std::max(value(result, "histolab__global_atomic_same_address_degree.avg"),
                   value(result, "histolab__shared_atomic_same_address_degree.avg")),
          value(result, "histolab__active_lanes_per_request.ratio")};
}

}  // namespace

std::optional<Figures> figures_of(const grader::LabResult& own, const grader::LabResult& solution) {
  const CaseResult *largest = nullptr, *of_solution = nullptr;
  for (const CaseResult& each : own.cases) {
    const auto same = std::find_if(solution.cases.begin(), solution.cases.end(),
                                   [&](const CaseResult& other) { return other.id == each.id; });
    if (!each.completed() || same == solution.cases.end() || !same->completed()) continue;
    if (largest == nullptr || each.length * each.launches > largest->length * largest->launches)
      largest = &each, of_solution = &*same;
  }
  if (largest == nullptr) return std::nullopt;
  return Figures{largest->id, figures(*largest), figures(*of_solution)};
}

bool is_worse(const Column& column, double own, double solution) {
  constexpr double much = 1.5;
  return column.more_is_worse ? own > 1 && own >= much * solution
                              : own > 0 && own * much <= solution;
}

}  // namespace histolab::class_report
