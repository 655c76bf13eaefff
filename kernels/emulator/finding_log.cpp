#include "kernels/emulator/finding_log.h"

#include <algorithm>

#include "kernels/emulator/stack_room.h"

namespace histolab::kernels::emulator {

std::size_t FindingLog::add(Finding finding) {
  need_stack_room();
  const auto known = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return same_cause(f, finding); });
  if (known != findings_.end()) {
    merge(*known, finding);
    return static_cast<std::size_t>(known - findings_.begin());
  }
  findings_.push_back(std::move(finding));
  if (on_new) on_new(findings_.back());
  return findings_.size() - 1;
}

void FindingLog::soften(std::size_t number, std::string message) {
  findings_[number].severity = Severity::note;
  findings_[number].message = std::move(message);
}

void FindingLog::settle() {
  const auto involves = [](const Finding& f, int line) { return f.line == line || f.other_line == line; };
  const auto is_race_on = [](const Finding& f, const Finding& g) {
    return f.kind == FindingKind::data_race && f.variable == g.variable && f.space == g.space;
  };
  const bool out_of_step =
      std::any_of(findings_.begin(), findings_.end(), [](const Finding& f) { return f.kind == FindingKind::barrier_divergence; });
  const auto comes_of_it = [&](const Finding& f) {
    return out_of_step && f.space == Space::shared &&
           (f.kind == FindingKind::data_race || f.kind == FindingKind::uninitialized_read);
  };
  const auto is_about_freed = [&](const Finding& f) { return about_freed_.contains(static_cast<std::size_t>(&f - findings_.data())); };
  std::vector<Finding> kept;
  for (const Finding& finding : findings_) {
    const auto explains = [&](const Finding& other) {
      if (&other == &finding || other.severity == Severity::note || !is_race_on(other, finding)) return false;
      if (finding.kind == FindingKind::uninitialized_read) return involves(other, finding.line);
      if (finding.kind == FindingKind::out_of_bounds) return is_about_freed(finding) && is_about_freed(other) && involves(other, finding.line);
      // `other` is an update that races with itself: line == other_line.
      return finding.kind == FindingKind::data_race && other.line == other.other_line && finding.line != finding.other_line &&
             involves(finding, other.line);
    };
    if (!comes_of_it(finding) && std::none_of(findings_.begin(), findings_.end(), explains)) kept.push_back(finding);
  }
  std::stable_partition(kept.begin(), kept.end(), [](const Finding& f) { return f.kind == FindingKind::barrier_divergence; });
  findings_ = std::move(kept);
  about_freed_.clear();
}

}  // namespace histolab::kernels::emulator
