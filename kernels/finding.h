// Finding: one mistake of a kernel, exact to the element and the source line.
//
// There is one Finding per cause, even if many threads make the mistake. `count` is the number of
// occurrences; the threads are those of the first one. `message` names no file if `file` is empty;
// parts_of() describes its form.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace histolab::kernels {

// All kinds, in the order of reports: the name there and in lab.json, the title in a class's
// report, and why it matters.
#define HISTOLAB_FINDING_KINDS(X)                                                            \
  X(data_race, "data race",                                                                  \
    "the order of threads changes from run to run, and with it the result")                  \
  X(out_of_bounds, "access out of bounds",                                                   \
    "on a GPU this reads or overwrites other data, or the launch fails")                     \
  X(write_to_input, "write to the input",                                                    \
    "other threads read this element, too, and may get the changed value")                   \
  X(uninitialized_read, "read of an uninitialized element",                                  \
    "the memory holds old values, which differ from run to run")                             \
  X(barrier_divergence, "barrier that not all threads reach",                                \
    "on a GPU the block hangs, or continues before all threads arrive")                      \
  X(misaligned_access, "misaligned access",                                                  \
    "on a GPU the launch fails, and the whole program with it")                              \
  X(step_limit, "loop that does not end",                                                    \
    "the launch may never end, and takes far too long in any case")                          \
  X(shared_memory_limit, "more shared memory than there is",                                 \
    "no thread runs: the compiler or the launch refuses it")                                 \
  X(invalid_launch, "launch that a GPU refuses", "a GPU refuses the launch: no thread runs") \
  X(illegal_instruction, "illegal instruction",                                              \
    "on a GPU the launch fails here, or continues with wrong values")                        \
  X(deadlock, "deadlock", "on a GPU this launch never ends")                                 \
  X(invalid_mask, "warp function with a wrong mask",                                         \
    "on a GPU the warp hangs, or its lanes exchange wrong values")                           \
  /* Of a program's host code. */                                                            \
  X(invalid_copy, "copy with a wrong direction or size",                                     \
    "the copy fails, and the destination keeps its old values")                              \
  X(uninitialized_copy, "copy of uninitialized device memory",                               \
    "the memory holds old values, which differ from run to run")                             \
  X(invalid_device_pointer, "pointer that the device cannot use",                            \
    "a GPU ends the kernel, and all later CUDA calls of the program fail")                   \
  X(host_access_of_device_memory, "access of the host to device memory",                     \
    "the program ends with a segmentation fault")                                            \
  X(use_after_free, "use of freed device memory",                                            \
    "the memory may already belong to another allocation")                                   \
  X(invalid_free, "invalid free", "the call fails, and the right memory may never be freed") \
  X(leak, "device memory that is never freed",                                               \
    "if a program does this repeatedly, it runs out of device memory")                       \
  X(missing_synchronization, "missing synchronization with the device",                      \
    "the device may still work: the host gets old values, or changes the device's input")    \
  X(unchecked_error, "error that the program does not check",                                \
    "the program continues, with wrong results")                                             \
  X(invalid_argument, "CUDA call that fails", "the call returns an error and has no effect") \
  X(unsupported, "unsupported by the emulator", "")

#define HISTOLAB_KIND(kind, title, why) kind,
enum class FindingKind { HISTOLAB_FINDING_KINDS(HISTOLAB_KIND) };
#undef HISTOLAB_KIND

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
  // Files of the two lines, as in the debug information. Empty for the student's one file.
  std::string file = {}, other_file = {};
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

// Return the spelling in reports and in lab.json ("data_race", ...). value_named()
// (reference/fields.h) finds the value of a word.
[[nodiscard]] std::string_view name(FindingKind kind);
[[nodiscard]] std::string_view name(Severity severity);
[[nodiscard]] std::string_view name(Space space);

// The other columns of the table. `why_it_matters` is empty for FindingKind::unsupported.
[[nodiscard]] std::string_view title(FindingKind kind);
[[nodiscard]] std::string_view why_it_matters(FindingKind kind);

// All kinds, in the order of the enum.
#define HISTOLAB_KIND(kind, title, why) FindingKind::kind,
inline constexpr std::array all_finding_kinds = {HISTOLAB_FINDING_KINDS(HISTOLAB_KIND)};
#undef HISTOLAB_KIND

}  // namespace histolab::kernels
