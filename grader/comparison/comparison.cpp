#include "grader/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "datasets/datasets.h"
#include "grader/comparison/comparison_reasons.h"
#include "grader/lab/case_counters.h"
#include "grader/report/mismatch.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

namespace fs = std::filesystem;

// Counters worth a row. Sums that repeat another counter in a different unit are left out.
constexpr std::string_view compared_counters[] = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio",
    "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum",
    "smsp__inst_executed_op_shared_ld.sum",
    "smsp__inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "histolab__global_atomic_updates.sum",
    "histolab__shared_atomic_updates.sum",
    "histolab__global_atomic_same_address_degree.avg",
    "histolab__global_atomic_same_address_degree.max",
    "histolab__shared_atomic_same_address_degree.avg",
    "histolab__shared_atomic_same_address_degree.max",
    "histolab__active_lanes_per_request.ratio",
    "histolab__barriers.sum",
    "launch__grid_size",
    "launch__thread_count",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "histolab__busiest_warp_global_loads.max",
    "histolab__busiest_warp_shared_loads.max",
    updates_lost_counter,
    updates_invented_counter,
    elements_per_thread_counter,
};

const reference::CounterValue* find(const std::vector<reference::CounterValue>& counters,
                                    std::string_view name) {
  const auto found =
      std::find_if(counters.begin(), counters.end(), [&](const auto& c) { return c.name == name; });
  return found == counters.end() ? nullptr : &*found;
}

std::vector<ComparedCounter> different_counters(const CaseResult& a, const CaseResult& b) {
  constexpr double same = 0.01;  // relative
  std::vector<ComparedCounter> found;
  for (const std::string_view name : compared_counters) {
    const auto *of_a = find(a.counters, name), *of_b = find(b.counters, name);
    if (of_a == nullptr || of_b == nullptr) continue;
    if (std::abs(of_a->value - of_b->value) <= same * std::max(of_a->value, of_b->value)) continue;
    found.push_back({of_a->name, of_a->title, of_a->unit, of_a->value, of_b->value});
  }
  // Add 1 to both, so that 0 and 1000 are further apart than 0 and 1.
  const auto apart = [](const ComparedCounter& c) {
    return std::abs(std::log((c.a + 1) / (c.b + 1)));
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& x, const auto& y) { return apart(x) > apart(y); });
  return found;
}

// Returns the fault of a launch as a predicate, or an empty text if there is no fault.
std::string fault_of(const ComparedLaunch& launch) {
  const RunReport& run = launch.run;
  if (!run.compiled) return run.refused ? "was refused" : "does not compile";
  const CaseResult& result = run.result;
  if (!result.completed()) {
    const std::string detail =
        result.ending_detail.empty() ? "" : fmt::format(" ({})", result.ending_detail);
    return fmt::format("did not end normally: {}{}", kernels::name(result.ending), detail);
  }
  if (result.correct) return {};
  if (launch.program) {
    const kernels::Finding& first = result.findings.front();
    return fmt::format("has {} (the first: {})", counted(result.findings.size(), "finding"),
                       kernels::title(first.kind));
  }
  std::uint64_t lost = 0, invented = 0, expected = 0;
  for (const LaunchResult& each : result.runs) expected += each.updates_expected;
  for (const Mismatch& each : result.mismatches)
    (each.got > each.expected ? invented : lost) += distance(each.expected, each.got);
  const std::string loses =
      lost > 0 ? fmt::format("loses {} of {}", grouped(lost), counted(expected, "update")) : "";
  const std::string adds =
      invented > 0 ? fmt::format("counts {}", counted(invented, "extra update")) : "";
  if (loses.empty() && adds.empty()) return "is wrong in some of its timed launches";
  return loses + (loses.empty() || adds.empty() ? "" : " and ") + adds;
}

ComparedTime time_of(bool measured, std::string device, double a_ms, double b_ms, bool alike) {
  return {.measured = measured,
          .device = std::move(device),
          .a_ms = a_ms,
          .b_ms = b_ms,
          .alike = alike};
}

std::optional<ComparedTime> times(const RunReport& a, const RunReport& b) {
  const CaseResult &x = a.result, &y = b.result;
  if (x.timing && y.timing && x.timing->median_ms > 0 && y.timing->median_ms > 0) {
    const bool overlap =
        x.timing->low_ms <= y.timing->high_ms && y.timing->low_ms <= x.timing->high_ms;
    return time_of(true, a.device_name, x.timing->median_ms, y.timing->median_ms, overlap);
  }
  if (!x.modelled || !y.modelled) return std::nullopt;
  ComparedTime time = time_of(false, x.modelled->device, x.modelled->estimate.total_ns / 1e6,
                              y.modelled->estimate.total_ns / 1e6, false);
  time.alike = time.ratio() <= reference::typical_error;
  return time;
}

std::string reason_for_no_time(const RunReport& a, const RunReport& b) {
  for (const RunReport* run : {&a, &b}) {
    if (!run->compiled || !run->result.completed())
      return "a launch has a time only if it ends normally";
    if (!run->result.modelled_reason.empty()) return run->result.modelled_reason;
  }
  return "the time model needs the counters of the emulator's traffic observer";
}

std::string times_apart(double ratio) {
  return ratio < 10 ? fmt::format("{:.3g}x", std::round(ratio * 100) / 100)
                    : grouped(static_cast<std::uint64_t>(std::round(ratio))) + "x";
}

std::string why(const ComparedLaunch& slow, const ComparedLaunch& fast, bool measured) {
  if (measured) return "omit --device to see the reason in the emulator's counters";
  if (const Reason* reason = reason_of(slow, fast)) return reason->words(slow, fast);
  const std::string_view bound = slow.run.result.modelled->estimate.bound_by,
                         other = fast.run.result.modelled->estimate.bound_by;
  if (bound == other) return fmt::format("both are bound by {}", words_of_term(bound));
  return fmt::format("{} is bound by {}, {} by {}", slow.label, words_of_term(bound), fast.label,
                     words_of_term(other));
}

std::string sentence_of(const Comparison& both) {
  const ComparedLaunch &a = both.a, &b = both.b;
  const std::string fault_a = fault_of(a), fault_b = fault_of(b);
  if (!fault_a.empty() && !fault_b.empty())
    return fmt::format("{} {}, and {} {}: their times are meaningless.", a.label, fault_a, b.label,
                       fault_b);
  if (!fault_a.empty() || !fault_b.empty()) {
    const auto &bad = fault_a.empty() ? b : a, &good = fault_a.empty() ? a : b;
    return fmt::format("{} {}, so its time is meaningless; {} {}.", bad.label, fault_a + fault_b,
                       good.label, good.praise());
  }
  if (!both.time)
    return fmt::format("{} and {} {}, but have no time: {}.", a.label, b.label,
                       a.program || b.program ? "have no findings" : "are both right",
                       both.time_reason);
  const ComparedTime& time = *both.time;
  constexpr std::string_view maker = "NVIDIA ";
  const std::string device =
      time.device.starts_with(maker) ? time.device.substr(maker.size()) : time.device;
  const std::string how = fmt::format("{}, {}", time.measured ? "measured" : "modelled", device);
  if (time.alike)
    return fmt::format(
        "{} and {} take about as long ({}): they are {} apart, and {}.", a.label, b.label, how,
        times_apart(time.ratio()),
        time.measured ? "the 95 % intervals of their medians overlap"
                      : fmt::format("the model is typically off by {}x", reference::typical_error));
  const auto &slow = time.a_ms > time.b_ms ? a : b, &fast = time.a_ms > time.b_ms ? b : a;
  return fmt::format("{} is {} faster ({}): {}.", fast.label, times_apart(time.ratio()), how,
                     why(slow, fast, time.measured));
}

std::string label_of_kernel(const std::string& path) {
  const fs::path file(path);
  return file.stem() == "kernel" && file.has_parent_path() ? file.parent_path().filename().string()
                                                           : file.stem().string();
}

}  // namespace

double ComparedTime::ratio() const { return std::max(a_ms, b_ms) / std::min(a_ms, b_ms); }

std::optional<double> ComparedCounter::ratio() const {
  if (std::min(a, b) == 0) return std::nullopt;
  return std::max(a, b) / std::min(a, b);
}

std::pair<std::string, std::string> labels_of(const RunReport& a, const RunReport& b) {
  const auto distinct = [](std::string of_a, std::string of_b) {
    return of_a == of_b ? std::pair<std::string, std::string>{"A", "B"}
                        : std::pair{std::move(of_a), std::move(of_b)};
  };
  const auto number_of = [](const RunReport& run) { return run.lab.substr(0, run.lab.find('-')); };
  const auto data_of = [](const RunReport& run) {
    const std::string& name = run.result.dataset;
    return datasets::is_generator(name) ? name : fs::path(name).filename().string();
  };
  if (a.result.dataset != b.result.dataset) return distinct(data_of(a), data_of(b));
  if (a.lab != b.lab) return distinct(number_of(a), number_of(b));
  return distinct(label_of_kernel(a.kernel_path), label_of_kernel(b.kernel_path));
}

Comparison compared(ComparedLaunch a, ComparedLaunch b) {
  Comparison both{.a = std::move(a),
                  .b = std::move(b),
                  .time = {},
                  .time_reason = {},
                  .counters = {},
                  .sentence = {}};
  both.time = times(both.a.run, both.b.run);
  if (!both.time) both.time_reason = reason_for_no_time(both.a.run, both.b.run);
  both.counters = different_counters(both.a.run.result, both.b.run.result);
  both.sentence = sentence_of(both);
  return both;
}

}  // namespace histolab::grader
