#include "kernels/finding.h"

#include <algorithm>

namespace histolab::kernels {

bool same_cause(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.severity != b.severity || a.space != b.space ||
      a.variable != b.variable)
    return false;
  switch (a.kind) {
    case FindingKind::barrier_divergence:
    case FindingKind::uninitialized_read: return true;
    case FindingKind::data_race:
      return std::minmax(a.line, a.other_line) == std::minmax(b.line, b.other_line);
    default: return a.line == b.line;
  }
}

bool waits_for_another_block(const Finding& finding) {
  return finding.kind == FindingKind::deadlock && finding.thread && finding.other_thread &&
         finding.thread->block != finding.other_thread->block;
}

void merge(Finding& known, const Finding& more) {
  const std::uint64_t count = known.count + more.count;
  const bool lower = known.kind == FindingKind::uninitialized_read && more.line < known.line;
  if (more.line != 0 && (known.line == 0 || lower)) known = more;
  known.count = count;
}

MessageParts parts_of(std::string_view message) {
  const auto without_quotes = [&] {
    std::string text{message};
    bool quoted = false;
    for (char& c : text)
      if (c == '`')
        quoted = !quoted;
      else if (quoted)
        c = ' ';
    return quoted ? std::string{message} : text;
  };
  const std::size_t end = without_quotes().find(". ");
  if (end == std::string::npos) return {std::string{message}, {}};
  return {std::string{message.substr(0, end)}, std::string{message.substr(end + 2)}};
}

std::string_view name(FindingKind kind) {
  switch (kind) {
    case FindingKind::data_race: return "data_race";
    case FindingKind::out_of_bounds: return "out_of_bounds";
    case FindingKind::write_to_input: return "write_to_input";
    case FindingKind::uninitialized_read: return "uninitialized_read";
    case FindingKind::barrier_divergence: return "barrier_divergence";
    case FindingKind::misaligned_access: return "misaligned_access";
    case FindingKind::step_limit: return "step_limit";
    case FindingKind::shared_memory_limit: return "shared_memory_limit";
    case FindingKind::invalid_launch: return "invalid_launch";
    case FindingKind::illegal_instruction: return "illegal_instruction";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::invalid_mask: return "invalid_mask";
    case FindingKind::unsupported: break;
  }
  return "unsupported";
}

std::string_view name(Severity severity) { return severity == Severity::error ? "error" : "note"; }

std::string_view name(Space space) {
  switch (space) {
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::local: return "local";
    case Space::none: break;
  }
  return "none";
}

std::optional<FindingKind> finding_kind_from_name(std::string_view word) {
  for (const FindingKind kind : all_finding_kinds)
    if (name(kind) == word) return kind;
  return std::nullopt;
}

}  // namespace histolab::kernels
