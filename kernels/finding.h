// Finding: one mistake of a kernel, exact to the element and the source line.
//
// There is one Finding per cause, even if many threads make the mistake. `count` is the number of
// occurrences; the threads are those of the first one. `message` has no file name; parts_of()
// describes its form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace histolab::kernels {

enum class FindingKind {
  data_race,
  out_of_bounds,
  write_to_input,
  uninitialized_read,
  barrier_divergence,
  misaligned_access,
  step_limit,
  shared_memory_limit,
  invalid_launch,
  illegal_instruction,
  deadlock,
  invalid_mask,
  unsupported,
};

enum class Severity { error, note };
enum class Space { none, global, shared, local };

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct ThreadId {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
  friend bool operator==(const ThreadId&, const ThreadId&) = default;
};

struct Finding {
  FindingKind kind = FindingKind::unsupported;
  Severity severity = Severity::error;
  Space space = Space::none;
  std::string variable;               // "histo", "private_histo"; empty if no variable is known
  std::optional<std::int64_t> index;  // element of the variable; negative before its start
  int line = 0;                       // 1-based line of the student's file; 0 if unknown
  int other_line = 0;                 // in a race, line of the other thread
  std::optional<ThreadId> thread, other_thread;
  std::uint64_t count = 1;
  std::string message;
};

// Returns true if two findings report the same mistake. Kind, severity, space and variable must be
// equal. Races must also have the same two lines, in either order. Uninitialized reads and barrier
// divergence may have any lines: a kernel that has diverged once also diverges at later barriers.
// All other kinds must have the same line.
[[nodiscard]] bool same_cause(const Finding& a, const Finding& b);

// Returns true for a deadlock that waits for a change by a thread of another block.
[[nodiscard]] bool waits_for_another_block(const Finding& finding);

// Adds the count of `more` to `known`, which must have the same cause. Keeps the first occurrence,
// unless its line is unknown. For uninitialized reads, keeps the lowest line.
void merge(Finding& known, const Finding& more);

// The two parts of a message of a Finding, a Diagnostic or an ending. `what` describes the event,
// up to the first ". " outside `...` (quoted names may contain anything). `next` is the advice,
// which may be empty.
struct MessageParts {
  std::string what, next;
};
[[nodiscard]] MessageParts parts_of(std::string_view message);

// Return the spelling in reports and in lab.json ("data_race", ...). finding_kind_from_name()
// returns nullopt for any other word.
[[nodiscard]] std::string_view name(FindingKind kind);
[[nodiscard]] std::string_view name(Severity severity);
[[nodiscard]] std::string_view name(Space space);
[[nodiscard]] std::optional<FindingKind> finding_kind_from_name(std::string_view name);

// All kinds, in the order of the enum.
inline constexpr std::array all_finding_kinds = {
    FindingKind::data_race,          FindingKind::out_of_bounds,
    FindingKind::write_to_input,     FindingKind::uninitialized_read,
    FindingKind::barrier_divergence, FindingKind::misaligned_access,
    FindingKind::step_limit,         FindingKind::shared_memory_limit,
    FindingKind::invalid_launch,     FindingKind::illegal_instruction,
    FindingKind::deadlock,           FindingKind::invalid_mask,
    FindingKind::unsupported};

}  // namespace histolab::kernels
