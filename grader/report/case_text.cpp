#include "grader/report/case_text.h"

#include <fmt/format.h>

#include <string_view>

#include "grader/words/words.h"

namespace histolab::grader {
namespace {

// The schedule and the block order of a case, named as in the options of `run`. Empty if both are
// the default. The default order of a lab's case is random.
std::string order_of(const CaseResult& result) {
  const bool usual_schedule = result.schedule == kernels::Schedule::lockstep;
  const bool usual_order = result.block_order == kernels::BlockOrder::ascending;
  const std::string_view schedule = name(result.schedule), order = name(result.block_order);
  const std::string in_order = result.block_order == kernels::BlockOrder::descending
                                   ? "last block first"
                                   : fmt::format("{} order", order);
  if (usual_schedule &&
      (usual_order || (!result.id.empty() && result.block_order == kernels::BlockOrder::random)))
    return "";
  if (usual_order) return fmt::format(", {} schedule", schedule);
  if (usual_schedule) return ", " + in_order;
  if (schedule == order) return fmt::format(", {} schedule and order", schedule);
  return fmt::format(", {} schedule, {}", schedule, in_order);
}

}  // namespace

std::string described(const CaseResult& result, std::size_t launch) {
  std::string what = fmt::format("{}, {}, grid {} x block {}", result.dataset, length_of(result),
                                 result.grid, result.block);
  if (result.binning != reference::Binning{})
    what += fmt::format(", {}", counted(result.binning.bins, "bin"));
  what += order_of(result);
  if (result.offset > 0)
    what += fmt::format(", data {} behind a boundary", counted(result.offset, "byte"));
  const std::string kernel = result.kernel_name.empty() ? "" : result.kernel_name + ", ";
  const std::string in_launch = launch > 0 && result.launches > 1
                                    ? fmt::format(", launch {} of {}", launch, result.launches)
                                    : "";
  return (result.id.empty() ? kernel + what
                            : fmt::format("{}case {} ({})", kernel, result.id, what)) +
         in_launch;
}

}  // namespace histolab::grader
