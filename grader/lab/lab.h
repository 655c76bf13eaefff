// LabSpec: the contents of one lab.json. docs/labs.md describes the format.
//
// load_lab guarantees: the points add up to max_score, ids are unique, each check has a case to
// judge, and every kernel, export, counter, dataset, finding kind and case that is named exists.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/device.h"
#include "kernels/finding.h"
#include "reference/histogram.h"
#include "reference/result.h"
#include "reference/task.h"

namespace histolab::grader {

struct KernelArgument {
  enum class Kind { input, length, bins, width, output };
  std::string name;
  Kind kind = Kind::input;
  // 1 or 2 for the input, 4 or 8 for the output, 4 for words.
  std::uint32_t element_bytes = 1;
};
[[nodiscard]] inline bool is_buffer(KernelArgument::Kind kind) {
  return kind == KernelArgument::Kind::input || kind == KernelArgument::Kind::output;
}

struct ExportSpec {
  std::string name;
  // "default" in lab.json: the value if the kernel does not export one.
  std::uint32_t fallback = 0;
  std::uint32_t min = 0, max = 0;
  std::uint32_t multiple_of = 1;
};

// The number of blocks is ceil(length / block), or fixed by the case, or ceil(length / (block *
// factor)). Dynamic shared memory is a number of bytes, a number of bytes per bin, or a number that
// the kernel exports.
struct LaunchRule {
  enum class Grid { per_element, fixed, per_coarse_element };
  Grid grid = Grid::per_element;
  std::string factor;  // name of an export; only for per_coarse_element
  std::uint32_t dynamic_shared_bytes = 0, shared_bytes_per_bin = 0;
  std::string shared_export;  // name of an export; if empty, one of the two above applies
  // Names of exports. If given, a timed case has that many threads per block, and that many blocks
  // per multiprocessor.
  std::string timed_block, timed_blocks;
  bool shared_opt_in = false;                             // allows more than 48 KiB of it
  std::string profile = kernels::LaunchConfig{}.profile;  // the device whose limits apply
};

// A function that a submission defines.
struct KernelSpec {
  std::string name, declaration;
  std::vector<KernelArgument> arguments;
  reference::Binning binning;  // the default for its cases
  reference::Task task;
  // Name of an export: the number of results that the output has room for. If empty, 1.
  std::string copies;
  LaunchRule launch;

  [[nodiscard]] bool takes(KernelArgument::Kind kind) const;
  // Returns its binning with another number of bins, or nullopt if the kernel takes no such
  // argument.
  [[nodiscard]] std::optional<reference::Binning> binning_with(std::uint32_t bins) const;
};

struct CaseSpec {
  // The parts of a case that the seed does not change (drawn_case.h).
  struct Fixed {
    bool length = false, block = false, grid = false;
  };
  std::string id, dataset;
  std::size_t kernel = 0;      // index into LabSpec::kernels
  reference::Binning binning;  // the kernel's, or the case's own
  std::uint64_t length = 0;    // in elements
  std::uint32_t offset = 0;    // bytes from a 256-byte boundary to the data
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // only for LaunchRule::Grid::fixed
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::random;
  std::uint32_t launches = 1;  // in one process, each with its own data
  bool quick = false;
  Fixed fixed;
};

// A timed case. A GPU runs it with `length` elements. Without a GPU its time is modelled from the
// counters of a launch with about `emulated_length` elements (reference/time_model.h,
// drawn_case.h).
struct TimedCaseSpec {
  std::string id, dataset;
  std::size_t kernel = 0;  // index into LabSpec::kernels
  reference::Binning binning = {};
  std::uint64_t length = 0, emulated_length = 0;  // in elements
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // only for LaunchRule::Grid::fixed
};

// The limit for one launch: constant + per_element * length + per_thread * threads + per_warp *
// warps + per_block * blocks + per_share * length / threads.
struct Limit {
  double constant = 0, per_element = 0, per_thread = 0, per_warp = 0, per_block = 0, per_share = 0;
  [[nodiscard]] double at(std::uint64_t length, std::uint64_t grid, std::uint64_t block) const;
};

enum class CheckGroup { results, counters, times, quiz };

// All kinds of checks, and what each is about. docs/labs.md describes them.
#define HISTOLAB_CHECK_KINDS(X) \
  X(matches_reference, results) \
  X(no_findings, results)       \
  X(expects_finding, results)   \
  X(counter_at_least, counters) \
  X(counter_at_most, counters)  \
  X(registers_only, counters)   \
  X(within_of_solution, times)  \
  X(speedup_over, times)        \
  X(share_of_read_limit, times) \
  X(quiz, quiz)

#define HISTOLAB_KIND(kind, group) kind,
enum class CheckKind { HISTOLAB_CHECK_KINDS(HISTOLAB_KIND) };
#undef HISTOLAB_KIND
#define HISTOLAB_KIND(kind, group) CheckKind::kind,
inline constexpr std::array all_check_kinds = {HISTOLAB_CHECK_KINDS(HISTOLAB_KIND)};
#undef HISTOLAB_KIND
[[nodiscard]] std::string_view name(CheckKind kind);  // as in lab.json
[[nodiscard]] CheckGroup group_of(CheckKind kind);

// The pattern of wrong counts, if it points to a cause.
enum class Symptom {
  nothing_counted,  // the output is unchanged by the launch
  nothing_added,    // the same, but atomic operations reached the output: they added 0
  // Each count is too high by the same factor: the number of threads, of blocks, or of threads in a
  // block.
  repeated,
  // A block has fewer threads than bins. All wrong bins have numbers that no thread has.
  last_bins,
  other_bins,  // the sum of the counts is right
  too_many,    // and no bin has too few
  too_few,     // and no bin has too many
  not_shared,  // the counts are right, but one thread reads far more than its share of the data
};
inline constexpr std::array all_symptoms = {
    Symptom::nothing_counted, Symptom::nothing_added, Symptom::repeated, Symptom::last_bins,
    Symptom::other_bins,      Symptom::too_many,      Symptom::too_few,  Symptom::not_shared};
[[nodiscard]] std::string_view name(Symptom symptom);

struct CheckSpec {
  std::string id, title, hint;
  CheckKind kind = CheckKind::matches_reference;
  int points = 0;
  // Indices into LabSpec::cases. Empty only for a quiz and for checks of time.
  std::vector<std::size_t> cases;
  // Indices into LabSpec::timed, for checks of time.
  std::vector<std::size_t> timed;
  // within_of_solution and speedup_over: a ratio; share_of_read_limit: per cent.
  double factor = 0;
  std::string rival;                         // speedup_over: "02-atomic-add"
  std::vector<kernels::FindingKind> except;  // no_findings: kinds that do not count
  // no_findings: kinds that the hint is for; if empty, all.
  std::vector<kernels::FindingKind> hint_for;
  // Special hints, each for the name of a finding kind or a Symptom.
  std::vector<std::pair<std::string, std::string>> hints;
  // matches_reference: bytes of the input that one thread may read.
  std::optional<Limit> thread_reads;
  bool one_by_one = false;  // matches_reference: CaseResult::one_by_one must be right, too
  std::optional<kernels::FindingKind> finding;  // expects_finding
  bool loses_updates = false;  // expects_finding: in a case in which the race loses updates
  std::string variable;        // expects_finding: if empty, any
  // counter_at_*; registers_only: also at most `limit`, if not empty.
  std::string counter;
  Limit limit;  // of the counter
};

struct LabSpec {
  int number = 0;         // 2
  std::string name;       // "02-atomic-add", the name of its folder
  std::string directory;  // the folder of lab.json
  std::string title, summary;
  std::string strategy;  // the solution's approach, for `histolab bench`; may be empty
  std::vector<std::string> objectives;
  // A submission is a whole program, which launches the lab's kernel.
  bool program = false;
  std::vector<KernelSpec> kernels;  // at least one
  std::vector<ExportSpec> exports;  // shared by all kernels of the file
  std::vector<CaseSpec> cases;
  std::vector<TimedCaseSpec> timed;  // may be empty
  std::vector<CheckSpec> checks;
  int max_score = 0;
  // Limits for one submission, and for the processor time of one launch with up to a million
  // elements. lab.json does not set them; an instructor's rubric may.
  std::uint64_t source_limit = 1 << 20;
  std::chrono::milliseconds launch_limit = kernels::Options{}.time_limit;
  // The shared time limit for all launches of a submission: enough for this many endless ones.
  static constexpr int launches_per_submission = 3;
  std::chrono::milliseconds submission_limit = launches_per_submission * launch_limit;
  [[nodiscard]] bool has_check(CheckKind kind) const;
  // Returns true if the kernel is meant to show such a finding. Then it does not explain wrong
  // counts.
  [[nodiscard]] bool wants(kernels::FindingKind kind) const;
  // Returns true if a check needs CaseResult::one_by_one.
  [[nodiscard]] bool runs_one_by_one() const;
  std::string stub_status, stub_check;  // how the stub must fail; the check may be empty

  // Returns the kernel's index.
  [[nodiscard]] std::optional<std::size_t> kernel_called(std::string_view kernel) const;
  [[nodiscard]] std::string stub_path() const { return directory + "/stub.cu"; }
  [[nodiscard]] std::string solution_path() const { return directory + "/solution.cu"; }
  // The lab has this file if a check is share_of_read_limit.
  [[nodiscard]] std::string read_path() const { return directory + "/read.cu"; }
};

// Returns the kernel's name for messages, or an empty string if the lab has only one kernel.
[[nodiscard]] std::string kernel_name(const LabSpec& lab, std::size_t kernel);

// Reads `directory`/lab.json. The Error has file, line and column of a syntax error, or the JSON
// pointer and the expected value of any other problem.
[[nodiscard]] Result<LabSpec> load_lab(const std::string& directory);

}  // namespace histolab::grader
