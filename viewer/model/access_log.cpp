#include "viewer/model/access_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/words/words.h"
#include "viewer/model/warp_view.h"

namespace histolab::viewer {
namespace {

std::string unindented(std::string line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string{} : line.substr(begin);
}

bool is_at(const Access& access, const SourcePlace& place) {
  return place.line == 0 || (access.line == place.line && access.file == place.file);
}

bool over(LiveRun::Phase phase) {
  return phase != LiveRun::Phase::running && phase != LiveRun::Phase::paused;
}

}  // namespace

void AccessLog::follow(const LiveRun& run) {
  if (run.launches() != launch_) {
    const bool same_kernel =
        run.begin().kernel == begin_.kernel && run.begin().source == begin_.source;
    if (run.accesses().empty() && same_kernel && !over(run.phase()))
      return;  // keep showing the previous launch for now
    launch_ = run.launches();
    taken_ = 0;
    begin_ = run.begin();
    rows_.clear();
    lines_.clear();
    warps_.clear();
    variables_.clear();
    ++revision_;
  }
  if (taken_ == run.accesses().size()) return;
  for (; taken_ < run.accesses().size(); ++taken_) add(run.accesses()[taken_]);
  ++revision_;
}

void AccessLog::add(const Access& access) {
  warps_[{access.block, access.warp}].push_back(rows_.size());
  rows_.push_back(access);
  if (access.line > 0) {
    const SourcePlace place{access.file, access.line};
    auto line = std::ranges::lower_bound(lines_, place, {}, &Line::place);
    if (line == lines_.end() || line->place != place)
      line = lines_.insert(
          line, {place, 0, unindented(grader::line_of(begin_.text_of(access.file), access.line))});
    ++line->accesses;
  }
  Variable& variable = variables_[access.variable];
  variable.written |= writes(access);
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    if (is_active(access, lane))
      variable.last_element = std::max(variable.last_element, element_of(access, lane));
}

std::vector<std::size_t> AccessLog::accesses_of(WarpId warp, const SourcePlace& place) const {
  const auto found = warps_.find(warp);
  if (found == warps_.end()) return {};
  if (place.line == 0) return found->second;
  std::vector<std::size_t> of_line;
  std::ranges::copy_if(found->second, std::back_inserter(of_line),
                       [&](std::size_t row) { return is_at(rows_[row], place); });
  return of_line;
}

std::optional<WarpId> AccessLog::nearest(WarpId wanted, const SourcePlace& place) const {
  const auto has = [&](const auto& warp) {
    return std::ranges::any_of(warp.second,
                               [&](std::size_t row) { return is_at(rows_[row], place); });
  };
  std::optional<WarpId> best;
  for (const auto& warp : warps_) {
    const bool same_block = warp.first.block == wanted.block;
    if (warp.first != wanted && best && (!same_block || best->block == wanted.block)) continue;
    if (!has(warp)) continue;
    best = warp.first;
    if (warp.first == wanted) break;
  }
  return best;
}

std::uint64_t AccessLog::last_element(const std::string& variable) const {
  const auto found = variables_.find(variable);
  return found == variables_.end() ? 0 : found->second.last_element;
}

bool AccessLog::holds_bins(const std::string& variable) const {
  const auto found = variables_.find(variable);
  return found != variables_.end() && found->second.written &&
         found->second.last_element < begin_.bin_labels.size();
}

std::string why_no_accesses(const LiveRun& run) {
  switch (run.phase()) {
    case LiveRun::Phase::idle: return "Run a kernel to see the memory accesses of its first warps.";
    case LiveRun::Phase::failed:
    case LiveRun::Phase::cut_off: return run.status();
    case LiveRun::Phase::running:
    case LiveRun::Phase::paused:
    case LiveRun::Phase::done: break;
  }
  if (run.begin().device_kind == "gpu")
    return "A GPU does not report the addresses that its warps access. Run the kernel on the "
           "emulator to see them; Nsight Compute shows totals.";
  if (run.phase() != LiveRun::Phase::done) return "This launch has sent no accesses yet.";
  if (!run.result()->compiled())
    return fmt::format("This {} does not compile, so there are no accesses. See the source panel.",
                       run.begin().is_program() ? "program" : "kernel");
  if (run.result()->ending != "completed") return run.status();
  if (run.begin().is_program() && run.result()->lines.empty())
    return "This launch accesses no memory.";
  return "This stream contains no accesses. `--stream --accesses 4096` records them.";
}

}  // namespace histolab::viewer
