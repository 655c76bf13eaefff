// LabSpec: what lab.json says about one lab, as a value. docs/labs.md is the format.
//
// A LabSpec that load_lab returned always holds: points add up to max_score; ids are unique; every counter, dataset,
// finding kind and case that is named exists; every check has a case to be judged on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "kernels/finding.h"
#include "reference/histogram.h"
#include "reference/result.h"

namespace histolab::grader {

struct KernelArgument {
  enum class Kind { input, length, output };
  std::string name;
  Kind kind = Kind::input;
  std::uint32_t element_bytes = 1;  // input 1 (bytes are what datasets hold), output 4 (unsigned counts), length 4
};

struct ExportSpec {
  std::string name;
  std::uint32_t fallback = 0;  // "default": what holds when the kernel exports none
  std::uint32_t min = 0, max = 0;
};

// How many blocks a launch gets: ceil(length / block), the case's own number, or ceil(length / (block * factor)).
struct LaunchRule {
  enum class Grid { per_element, fixed, per_coarse_element };
  Grid grid = Grid::per_element;
  std::string factor;  // an export's name; of per_coarse_element only
  std::uint32_t dynamic_shared_bytes = 0;
  bool shared_opt_in = false;  // to more than 48 KiB of it
  std::string profile = kernels::LaunchConfig{}.profile;  // the device whose limits hold
};

struct CaseSpec {
  std::string id, dataset;
  std::uint64_t length = 0;  // elements
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // of LaunchRule::Grid::fixed only
  kernels::Schedule schedule = kernels::Schedule::lockstep;
  std::uint32_t launches = 1;  // in one process, each on data of its own
  bool quick = false;
};

// A case that is timed. On a GPU: at `length`. Without one its time is modelled from the counters of a launch of
// `emulated_length` elements (reference/time_model.h).
struct TimedCaseSpec {
  std::string id, dataset;
  std::uint64_t length = 0, emulated_length = 0;  // elements
  std::uint32_t block = 256;
  std::uint32_t grid = 0;  // of LaunchRule::Grid::fixed only
};

// constant + per_element * length + per_thread * threads + per_block * blocks, of one launch.
struct Limit {
  double constant = 0, per_element = 0, per_thread = 0, per_block = 0;
  [[nodiscard]] double at(std::uint64_t length, std::uint64_t grid, std::uint64_t block) const;
};

enum class CheckKind {
  matches_reference,
  no_findings,
  expects_finding,
  counter_at_least,
  counter_at_most,
  within_of_solution,  // at most `factor` times the time of the lab's solution
  speedup_over,        // at least `factor` times as fast as another lab's solution
};
[[nodiscard]] std::string_view name(CheckKind kind);

struct CheckSpec {
  std::string id, title, hint;
  CheckKind kind = CheckKind::matches_reference;
  int points = 0;
  std::vector<std::size_t> cases;               // indices into LabSpec::cases on which it is judged; never empty, but:
  std::vector<std::size_t> timed;               // within_of_solution, speedup_over: instead, into LabSpec::timed
  double factor = 0;                            // within_of_solution, speedup_over
  std::string rival;                            // speedup_over: "02-atomic-add"
  std::vector<kernels::FindingKind> except;     // no_findings: kinds that do not count
  std::vector<kernels::FindingKind> hint_for;   // no_findings: kinds that the hint is about; empty: all
  std::optional<kernels::FindingKind> finding;  // expects_finding
  std::string variable;                         // expects_finding; empty: any
  std::string counter;                          // counter_at_*
  Limit limit;                                  // counter_at_*
};

struct LabSpec {
  int number = 0;         // 2
  std::string name;       // "02-atomic-add", the folder's
  std::string directory;  // where lab.json lies
  std::string title, summary;
  std::vector<std::string> objectives;
  std::string kernel, declaration;
  std::vector<KernelArgument> arguments;
  reference::Binning binning;
  std::vector<ExportSpec> exports;
  LaunchRule launch;
  std::vector<CaseSpec> cases;
  std::vector<TimedCaseSpec> timed;  // may be empty
  std::vector<CheckSpec> checks;
  int max_score = 0;
  std::string stub_status, stub_check;  // how the stub is meant to fail; the check may be empty

  [[nodiscard]] std::string stub_path() const { return directory + "/stub.cu"; }
  [[nodiscard]] std::string solution_path() const { return directory + "/solution.cu"; }
};

// Reads `directory`/lab.json. Error: the file, line and column of a syntax error; the file, the JSON pointer and what was
// expected there for anything else.
[[nodiscard]] Result<LabSpec> load_lab(const std::string& directory);

// The counters that the grader adds to reference::values: what only a comparison with the truth can tell.
inline constexpr std::string_view updates_lost_counter = "histolab__updates_lost.sum";
inline constexpr std::string_view updates_invented_counter = "histolab__updates_invented.sum";
inline constexpr std::string_view elements_per_thread_counter = "histolab__elements_per_thread.ratio";
// All names that a check may use.
[[nodiscard]] std::vector<std::string> counter_names();

}  // namespace histolab::grader
