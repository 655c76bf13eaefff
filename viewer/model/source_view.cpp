#include "viewer/model/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "grader/listing/listing.h"
#include "grader/words/code_text.h"
#include "grader/words/words.h"
#include "reference/counters.h"

namespace histolab::viewer {
namespace {

constexpr std::size_t most_remarks = 32;  // per line
constexpr double most = 1e15;             // displayed numbers are limited to this

// Converts a number from a stream to a count.
std::uint64_t whole(double number) {
  return number > 0 && number <= most ? static_cast<std::uint64_t>(number) : 0;
}

double sum(const Counters& counters, const std::vector<std::string_view>& names) {
  double total = 0;
  for (const std::string_view name : names)
    if (const auto found = counters.find(std::string{name});
        found != counters.end() && std::abs(found->second) <= most)
      total += found->second;
  return total;
}

double largest(const Counters& counters, std::initializer_list<std::string_view> names) {
  double largest = 0;
  for (const std::string_view name : names) largest = std::max(largest, sum(counters, {name}));
  return largest;
}

const std::vector<std::string_view> global_requests{
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"};
const std::vector<std::string_view> shared_requests{"smsp__inst_executed_op_shared_ld.sum",
                                                    "smsp__inst_executed_op_shared_st.sum",
                                                    "smsp__inst_executed_op_shared_atom.sum"};
const std::vector<std::string_view> global_sectors{
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"};
const std::vector<std::string_view> bank_conflict_counters{
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"};

std::vector<std::string_view> both(std::vector<std::string_view> some,
                                   const std::vector<std::string_view>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::array<std::string, margin_columns> cells_of(const Counters& counters) {
  const double global = sum(counters, global_requests), shared = sum(counters, shared_requests);
  if (global + shared <= 0) return {};
  const double degree = largest(counters, {"histolab__global_atomic_same_address_degree.max",
                                           "histolab__shared_atomic_same_address_degree.max"});
  return {
      grader::compact(whole(global + shared)),
      global > 0 ? grader::compact(std::min(sum(counters, global_sectors) / global, 9999.0))
                 : std::string{},
      shared > 0 ? grader::compact(whole(sum(counters, bank_conflict_counters))) : std::string{},
      grader::compact(
          std::min(sum(counters, {"histolab__active_lanes_per_request.ratio"}), 9999.0)),
      degree > 0 ? grader::compact(whole(degree)) : std::string{}};
}

}  // namespace

const std::array<MarginColumn, margin_columns>& margin() {
  static const std::array<MarginColumn, margin_columns> columns{{
      {"reqs",
       "Requests: memory instructions of warps, in global and shared memory, of every kind.",
       both(global_requests, shared_requests)},
      {"sect",
       "32-byte sectors per global request: 1 if the 32 lanes read 32 neighbouring bytes, 32 if "
       "each lane has its own sector.",
       both({"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
             "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
             "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_atom.ratio"},
            global_sectors)},
      {"conf",
       "Bank conflicts: passes over the 32 banks of shared memory beyond those that the width of "
       "the access needs.",
       bank_conflict_counters},
      {"lane",
       "Active lanes per request: 32 means no divergence.",
       {"histolab__active_lanes_per_request.ratio"}},
      {"same",
       "Largest number of lanes of one atomic request on one address: 1 means no contention, 32 "
       "means that all lanes are serialized.",
       {"histolab__global_atomic_updates.sum", "histolab__global_atomic_same_address_degree.avg",
        "histolab__global_atomic_same_address_degree.max", "histolab__shared_atomic_updates.sum",
        "histolab__shared_atomic_same_address_degree.avg",
        "histolab__shared_atomic_same_address_degree.max"}},
  }};
  return columns;
}

void SourceView::set_text(const std::string& text) {
  lines_.clear();
  elsewhere_.clear();
  columns_ = {};
  bool in_comment = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    SourceLine shown;
    shown.text = grader::flat(line);
    shown.tokens = tokens_of(shown.text, in_comment);
    lines_.push_back(std::move(shown));
    begin = end + 1;
  }
}

void SourceView::annotate(const RunSummary* run, const Verdict* verdict) {
  for (SourceLine& line : lines_)
    line.cells = {}, line.barriers.clear(), line.share = 0, line.remarks.clear();
  elsewhere_.clear();
  columns_ = {};
  if (run != nullptr) {
    double busiest = 0;
    for (const LineCounters& each : run->lines)
      busiest = std::max(busiest, sum(each.counters, margin()[0].counters));
    for (const LineCounters& each : run->lines) {
      if (each.line < 1 || static_cast<std::size_t>(each.line) > lines_.size()) continue;
      SourceLine& line = lines_[static_cast<std::size_t>(each.line) - 1];
      line.cells = cells_of(each.counters);
      if (busiest > 0)
        line.share =
            static_cast<float>(std::max(0.0, sum(each.counters, margin()[0].counters)) / busiest);
      if (const std::uint64_t warps = whole(sum(each.counters, {"histolab__barriers.sum"}));
          warps > 0)
        line.barriers = grader::compact(warps);
      for (std::size_t column = 0; column < margin_columns; ++column)
        columns_[column] |= !line.cells[column].empty();
    }
  }
  // The grader's findings come first: it has run more launches than the one on screen.
  if (verdict != nullptr) remark(verdict->diagnostics);
  if (run != nullptr) remark(run->diagnostics);
  std::set<std::tuple<std::string, std::string, int, int, std::string>> told;
  for (const std::vector<Finding>* findings : {verdict == nullptr ? nullptr : &verdict->findings,
                                               run == nullptr ? nullptr : &run->findings})
    if (findings != nullptr)
      for (const Finding& each : *findings)
        if (told.insert({each.kind, each.variable, each.line, each.other_line,
                         each.line == 0 ? each.message : std::string{}})
                .second)
          remark(each);
  if (const VerdictCheck* check = verdict == nullptr ? nullptr : verdict->first_failure();
      check != nullptr && check->line > 0) {
    const auto at = static_cast<std::size_t>(check->line) - 1;
    if (at >= lines_.size() || lines_[at].remarks.empty())
      remark(check->line, {true, fmt::format("{}: {}", check->title, check->seen.sentence())});
  }
  for (SourceLine& line : lines_) std::ranges::stable_partition(line.remarks, &Remark::error);
}

void SourceView::remark(int line, Remark remark) {
  const bool known = line >= 1 && static_cast<std::size_t>(line) <= lines_.size();
  std::vector<Remark>& remarks =
      known ? lines_[static_cast<std::size_t>(line) - 1].remarks : elsewhere_;
  if (remarks.size() < most_remarks && std::ranges::find(remarks, remark) == remarks.end())
    remarks.push_back(std::move(remark));
}

void SourceView::remark(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& each : diagnostics)
    remark(each.line, {each.severity == "error", each.message});
}

void SourceView::remark(const Finding& finding) {
  const bool error = finding.severity == "error";
  const std::string times =
      finding.count > 1 ? fmt::format(" (seen {} times)", grader::grouped(whole(finding.count)))
                        : "";
  remark(finding.line, {error, fmt::format("{}: {}{}", finding.kind, finding.message, times)});
  if (finding.other_line > 0 && finding.other_line != finding.line)
    remark(finding.other_line, {error, fmt::format("{}: see line {}", finding.kind, finding.line)});
}

std::vector<NamedCounter> named_counters(const Counters& counters,
                                         const std::vector<std::string_view>& wanted) {
  std::vector<NamedCounter> named;
  for (const reference::CounterValue& known : reference::traffic_values({})) {
    if (!wanted.empty() && std::ranges::find(wanted, known.name) == wanted.end()) continue;
    const auto found = counters.find(std::string{known.name});
    if (found == counters.end() || found->second == 0 || !(std::abs(found->second) <= most))
      continue;
    named.push_back({std::string{known.name}, std::string{known.title},
                     fmt::format("{} {}", grader::plain(found->second), known.unit)});
  }
  return named;
}

}  // namespace histolab::viewer
