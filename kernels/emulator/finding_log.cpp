#include "kernels/emulator/finding_log.h"

#include <algorithm>

namespace histolab::kernels::emulator {

std::size_t FindingLog::add(Finding finding) {
  const auto same = [&](const Finding& known) {
    return known.kind == finding.kind && known.variable == finding.variable && known.space == finding.space &&
           ((known.line == finding.line && known.other_line == finding.other_line) ||
            (known.line == finding.other_line && known.other_line == finding.line));
  };
  const auto known = std::find_if(findings_.begin(), findings_.end(), same);
  if (known != findings_.end()) {
    ++known->count;
    return static_cast<std::size_t>(known - findings_.begin());
  }
  findings_.push_back(std::move(finding));
  return findings_.size() - 1;
}

bool FindingLog::has_error() const {
  return std::any_of(findings_.begin(), findings_.end(), [](const Finding& f) { return f.severity == Severity::error; });
}

void FindingLog::settle() {
  const auto involves = [](const Finding& f, int line) { return f.line == line || f.other_line == line; };
  const auto is_race_on = [](const Finding& f, const Finding& g) {
    return f.kind == FindingKind::data_race && f.variable == g.variable && f.space == g.space;
  };
  std::vector<Finding> kept;
  for (const Finding& finding : findings_) {
    const auto explains = [&](const Finding& other) {
      if (&other == &finding || !is_race_on(other, finding)) return false;
      if (finding.kind == FindingKind::uninitialized_read) return involves(other, finding.line);
      // `other` is an update that races with itself: line == other_line.
      return finding.kind == FindingKind::data_race && other.line == other.other_line && finding.line != finding.other_line &&
             involves(finding, other.line);
    };
    if (std::none_of(findings_.begin(), findings_.end(), explains)) kept.push_back(finding);
  }
  findings_ = std::move(kept);
}

}  // namespace histolab::kernels::emulator
