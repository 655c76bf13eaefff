#include "kernels/finding.h"

#include <algorithm>
#include <tuple>

namespace histolab::kernels {
namespace {

struct Row {
  std::string_view name, title, why;
};

const Row& row(FindingKind kind) {
#define HISTOLAB_KIND(kind, title, why) {#kind, title, why},
  static constexpr Row rows[] = {HISTOLAB_FINDING_KINDS(HISTOLAB_KIND)};
#undef HISTOLAB_KIND
  // A forged message, and value_named(), ask for values that no row has.
  return rows[std::min(static_cast<std::size_t>(kind), std::size(rows) - 1)];
}

}  // namespace

bool same_cause(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.severity != b.severity || a.space != b.space ||
      a.variable != b.variable)
    return false;
  switch (a.kind) {
    case FindingKind::barrier_divergence:
    case FindingKind::uninitialized_read: return true;
    case FindingKind::data_race: {
      const auto place = [](const Finding& f) { return std::tie(f.file, f.line); };
      const auto other = [](const Finding& f) { return std::tie(f.other_file, f.other_line); };
      return std::minmax(place(a), other(a)) == std::minmax(place(b), other(b));
    }
    default: return a.line == b.line && a.file == b.file;
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

std::string_view name(FindingKind kind) { return row(kind).name; }
std::string_view title(FindingKind kind) { return row(kind).title; }
std::string_view why_it_matters(FindingKind kind) { return row(kind).why; }

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

}  // namespace histolab::kernels
