// Finding: one thing that is wrong with a kernel, exact to the element and the source line.
//
// One Finding per cause, however many threads commit it: `count` says how often it was seen, the threads are those of
// the first time. `message` has no file name: what happened and where, up to the first ". " that
// is not in `...`, as a student's own words are; then what to do next.
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
  std::string variable;            // "histo", "private_histo"; empty where there is none
  std::optional<std::int64_t> index;  // element of the variable; negative before its start
  int line = 0;                    // 1-based line of the student's file; 0 unknown
  int other_line = 0;              // of a race: where the other thread was
  std::optional<ThreadId> thread, other_thread;
  std::uint64_t count = 1;
  std::string message;
};

// Do two findings tell of one mistake? Races: the same variable and the same two lines, in either order. Uninitialized
// reads: the same variable. Barrier divergence: always, a kernel that has gone out of step meets every later barrier so.
// Everything else: the same variable and line.
[[nodiscard]] bool same_cause(const Finding& a, const Finding& b);

// A deadlock in which the other thread, of another block, would change what the first one waits for.
[[nodiscard]] bool waits_for_another_block(const Finding& finding);

// Adds the count of `more` to `known`, which has the same cause. Keeps what was seen first, unless its line is unknown;
// of uninitialized reads the lowest line.
void merge(Finding& known, const Finding& more);

// A message in its two parts, this one's or any that is written so (a diagnostic's, an ending's): what happened, and what to do next, which may be
// empty.
struct MessageParts {
  std::string what, next;
};
[[nodiscard]] MessageParts parts_of(std::string_view message);

// "data_race", ... : the spelling in reports and in lab.json. from_name gives nullopt for any other word.
[[nodiscard]] std::string_view name(FindingKind kind);
[[nodiscard]] std::string_view name(Severity severity);
[[nodiscard]] std::string_view name(Space space);
[[nodiscard]] std::optional<FindingKind> finding_kind_from_name(std::string_view name);

// All kinds, in the order of the enum.
inline constexpr std::array all_finding_kinds = {
    FindingKind::data_race,           FindingKind::out_of_bounds,      FindingKind::write_to_input,
    FindingKind::uninitialized_read,  FindingKind::barrier_divergence, FindingKind::misaligned_access,
    FindingKind::step_limit,          FindingKind::shared_memory_limit, FindingKind::invalid_launch,
    FindingKind::illegal_instruction, FindingKind::deadlock,           FindingKind::invalid_mask,
    FindingKind::unsupported};

}  // namespace histolab::kernels
