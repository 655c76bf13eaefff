// LabSpec: what lab.json says about one lab, as a value. docs/labs.md is the format.
//
// A LabSpec that load_lab returned always holds: points add up to max_score; ids are unique; every
// kernel, export, counter, dataset, finding kind and case that is named exists; every check has a
// case to be judged on.
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
  std::uint32_t element_bytes = 1;  // input 1 or 2, output 4 or 8, words 4
};
[[nodiscard]] inline bool is_buffer(KernelArgument::Kind kind) {
  return kind == KernelArgument::Kind::input || kind == KernelArgument::Kind::output;
}

struct ExportSpec {
  std::string name;
  std::uint32_t fallback = 0;  // "default": what holds when the kernel exports none
  std::uint32_t min = 0, max = 0;
  std::uint32_t multiple_of = 1;
};

// How many blocks a launch gets: ceil(length / block), the case's own number, or ceil(length /
// (block * factor)). How much dynamic shared memory: so many bytes, or so many for each bin, or
// what the kernel exports.
struct LaunchRule {
  enum class Grid { per_element, fixed, per_coarse_element };
  Grid grid = Grid::per_element;
  std::string factor;  // an export's name; of per_coarse_element only
  std::uint32_t dynamic_shared_bytes = 0, shared_bytes_per_bin = 0;
  std::string shared_export;  // an export's name; empty: the rule is one of the two above
  // Exports' names. Where they are given, a timed case has so many threads in a block and so many
  // blocks for each multiprocessor.
  std::string timed_block, timed_blocks;
  bool shared_opt_in = false;                             // to more than 48 KiB of it
  std::string profile = kernels::LaunchConfig{}.profile;  // the device whose limits hold
};

// One of the functions that a submission defines.
struct KernelSpec {
  std::string name, declaration;
  std::vector<KernelArgument> arguments;
  reference::Binning binning;  // of a case that does not say otherwise
  reference::Task task;
  // An export's name: the output has room for so many results, one behind another; empty: for one.
  std::string copies;
  LaunchRule launch;

  [[nodiscard]] bool takes(KernelArgument::Kind kind) const;
  // Its binning with another number of bins; nullopt: it would not know of it.
  [[nodiscard]] std::optional<reference::Binning> binning_with(std::uint32_t bins) const;
};

struct CaseSpec {
  // Parts of a case that the seed does not change (drawn_case.h).
  struct Fixed {
    bool length = false, block = false, grid = false;
  };
  std::string id, dataset;
  std::size_t kernel = 0;      // of LabSpec::kernels
  reference::Binning binning;  // the kernel's, or the case's own
  std::uint64_t length = 0;    // elements
  std::uint32_t offset = 0;    // bytes by which the data begins behind a 256-byte boundary
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // of LaunchRule::Grid::fixed only
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  kernels::BlockOrder block_order = kernels::BlockOrder::random;
  std::uint32_t launches = 1;  // in one process, each on data of its own
  bool quick = false;
  Fixed fixed;
};

// A case that is timed. On a GPU: at `length`. Without one its time is modelled from the counters
// of a launch of about `emulated_length` elements (reference/time_model.h, drawn_case.h).
struct TimedCaseSpec {
  std::string id, dataset;
  std::size_t kernel = 0;  // of LabSpec::kernels
  reference::Binning binning = {};
  std::uint64_t length = 0, emulated_length = 0;  // elements
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // of LaunchRule::Grid::fixed only
};

// constant + per_element * length + per_thread * threads + per_warp * warps + per_block * blocks +
// per_share * length / threads,
// of one launch.
struct Limit {
  double constant = 0, per_element = 0, per_thread = 0, per_warp = 0, per_block = 0, per_share = 0;
  [[nodiscard]] double at(std::uint64_t length, std::uint64_t grid, std::uint64_t block) const;
};

enum class CheckKind {
  matches_reference,
  no_findings,
  expects_finding,
  counter_at_least,
  counter_at_most,
  registers_only,      // no local array that lies in memory
  within_of_solution,  // at most `factor` times the time of the lab's solution
  speedup_over,        // at least `factor` times as fast as another lab's solution
  // At least `factor` per cent of how fast the lab's read.cu is, which only reads the data.
  share_of_read_limit,
  quiz,  // questions of the lab's quiz.json that are answered right
};

// How wrong counts are wrong, where that says something of the cause.
enum class Symptom {
  nothing_counted,  // the output is as it was before the launch
  nothing_added,    // the same, although atomic operations reached it: they added 0
  // Each count is too high by the same factor: the number of threads, or of blocks, or of a block's
  // threads.
  repeated,
  // Fewer threads in a block than bins, and only bins are wrong that no thread has the number of.
  last_bins,
  other_bins,  // all in all it is right
  too_many,    // and no bin has too few
  too_few,     // and no bin has too many
  not_shared,  // they are right, but one thread reads far more than its share of the data
};
inline constexpr std::array all_symptoms = {
    Symptom::nothing_counted, Symptom::nothing_added, Symptom::repeated, Symptom::last_bins,
    Symptom::other_bins,      Symptom::too_many,      Symptom::too_few,  Symptom::not_shared};
[[nodiscard]] std::string_view name(Symptom symptom);

struct CheckSpec {
  std::string id, title, hint;
  CheckKind kind = CheckKind::matches_reference;
  int points = 0;
  std::vector<std::size_t>
      cases;  // indices into LabSpec::cases on which it is judged; never empty, but of a quiz, and:
  std::vector<std::size_t> timed;  // of a time: instead, into LabSpec::timed
  double factor = 0;  // within_of_solution, speedup_over; share_of_read_limit: per cent
  std::string rival;  // speedup_over: "02-atomic-add"
  std::vector<kernels::FindingKind> except;  // no_findings: kinds that do not count
  std::vector<kernels::FindingKind>
      hint_for;  // no_findings: kinds that the hint is about; empty: all
  std::vector<std::pair<std::string, std::string>>
      hints;  // instead of the hint, for one finding's kind or one Symptom each, by name
  std::optional<Limit>
      thread_reads;         // matches_reference: bytes of the input that one thread may read
  bool one_by_one = false;  // matches_reference: CaseResult::one_by_one has to be right, too
  std::optional<kernels::FindingKind> finding;  // expects_finding
  bool loses_updates = false;  // expects_finding: in a case in which the race loses updates
  std::string variable;        // expects_finding; empty: any
  std::string counter;  // counter_at_*; registers_only: at most `limit`, too; empty: no counter
  Limit limit;          // of the counter
};

struct LabSpec {
  int number = 0;         // 2
  std::string name;       // "02-atomic-add", the folder's
  std::string directory;  // where lab.json lies
  std::string title, summary;
  std::string strategy;  // what the solution does, as `histolab bench` calls it; may be empty
  std::vector<std::string> objectives;
  std::vector<KernelSpec> kernels;  // one at least
  std::vector<ExportSpec> exports;  // of the file, for all of its kernels
  std::vector<CaseSpec> cases;
  std::vector<TimedCaseSpec> timed;  // may be empty
  std::vector<CheckSpec> checks;
  int max_score = 0;
  // Of one submission and of one of its launches, for a million elements or fewer (of a processor's
  // time). lab.json does not say them; an instructor's rubric may.
  std::uint64_t source_limit = 1 << 20;
  std::chrono::milliseconds launch_limit = kernels::Options{}.time_limit;
  // All launches of a submission share this: as much as so many endless ones may use.
  static constexpr int launches_per_submission = 3;
  std::chrono::milliseconds submission_limit = launches_per_submission * launch_limit;
  [[nodiscard]] bool has_check(CheckKind kind) const;
  // Is such a finding what the kernel is meant to show? Then it explains nothing that is wrong.
  [[nodiscard]] bool wants(kernels::FindingKind kind) const;
  [[nodiscard]] bool runs_one_by_one() const;  // does a check ask for CaseResult::one_by_one?
  std::string stub_status, stub_check;  // how the stub is meant to fail; the check may be empty

  [[nodiscard]] std::optional<std::size_t> kernel_called(
      std::string_view kernel) const;  // its number
  [[nodiscard]] std::string stub_path() const { return directory + "/stub.cu"; }
  [[nodiscard]] std::string solution_path() const { return directory + "/solution.cu"; }
  [[nodiscard]] std::string read_path() const {
    return directory + "/read.cu";
  }  // where a check is share_of_read_limit
};

// What a person calls one of the lab's kernels: its name; empty where there is only one.
[[nodiscard]] std::string kernel_name(const LabSpec& lab, std::size_t kernel);

// Reads `directory`/lab.json. Error: the file, line and column of a syntax error; the file, the
// JSON pointer and what was expected there for anything else.
[[nodiscard]] Result<LabSpec> load_lab(const std::string& directory);

}  // namespace histolab::grader
