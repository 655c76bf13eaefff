// Runs a whole CUDA program: its host code in a confined process, its kernels on the emulator.
//
// The program is untrusted. This process serves its calls (state/), launches its kernels in
// workers, and collects a report. The program may read its own folders. It may write to a temporary
// folder and to those that the settings name.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cancellation.h"
#include "kernels/device.h"
#include "kernels/finding.h"
#include "kernels/processor_budget.h"
#include "kernels/program/memory_layout.h"
#include "kernels/program/state/program_state.h"
#include "kernels/worker/program_client.h"
#include "reference/result.h"

namespace histolab::kernels::program {

// Calls that fail in a run, to see whether the program checks them.
enum class Failing { none, allocations, launches, copies };

struct ReportedLaunch {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  SourceLine line = {};
  bool watched = false;  // if not, it has no counters, and the modelled time of an earlier launch
  bool too_much_data = false;  // watched, but not for races in its largest buffers
  Ending ending = Ending::completed;
  std::string ending_detail = {};
  reference::Counters counters = {};
  double modelled_ms = 0;
};

struct ProgramSettings {
  std::string executable;        // of build_program()
  std::string name = "program";  // of the file that runs, for the program's own messages
  std::string started_as;        // its argv[0]; if empty, the path of the temporary copy that runs
  std::vector<std::string> arguments;
  std::string directory;           // the program starts there; absolute, like `reads`
  std::vector<std::string> reads;  // more folders that it may read
  std::vector<std::string>
      writes;      // folders that it may read and write; otherwise none but its own
  int input = -1;  // descriptor of its standard input; -1 for none
  // For launches: schedule, order of blocks, seed, observers, and what is recorded: of the chosen
  // launch, or of all watched ones if none is chosen.
  Options options;
  std::string profile = LaunchConfig{}.profile;
  // The first launches of each kernel and shape are watched by all observers, later ones by none.
  // After as many warp-level accesses, which take some seconds, no more launches are watched.
  std::uint32_t watched_launches = 3;
  std::uint64_t watched_requests = 1 << 20;
  // Number of a launch that is watched in any case, from 1; 0 for none.
  std::uint64_t chosen_launch = 0;
  // Elements that a launch can write. The emulator remembers accesses to each: more do not fit into
  // its memory, so races are not looked for in the largest buffers then.
  std::uint64_t watched_elements = 64 << 20;
  // If set, the chosen launch runs under the debugger of `paths`, without a time limit. Called just
  // before; an Error ends the program.
  std::function<Status(const ReportedLaunch&)> before_debugging;
  // Modelled time of a launch in ms, from its counters. `bytes`: size of the data that it reads.
  std::function<double(const Observation& observation, std::uint64_t bytes)> modelled_ms;
  // Limits of the host code: processor time, time in which no kernel runs, and private memory.
  std::uint64_t cpu_seconds = 120;
  std::chrono::milliseconds wall = std::chrono::minutes{10};
  std::uint64_t data_bytes = 8ull << 30;
  // Size of the device memory: more than most_variables_end, at most program_memory_bytes.
  std::uint64_t memory_bytes = program_memory_bytes;
  // Processor time of all launches. If it is used up, the program ends. Null for no limit.
  std::shared_ptr<ProcessorBudget> budget;
  // Kernels see a copy of device memory in which each byte that is not 0 has this value, except in
  // allocations that they get by pointers that may write. The bytes that a kernel changes are
  // written to device memory after it. The copies of a run have at most 1 GiB.
  std::optional<std::uint8_t> disguise;
  Failing failing = Failing::none;
  // If it is cancelled, the program ends at once, and the report is about the run so far. Then
  // `paths` of run_program() may have no other one. Borrowed.
  const Cancellation* stop = nullptr;
  // Called before each launch. Numbers begin with 1.
  std::function<void(std::uint64_t number, const ReportedLaunch&)> on_begin;
  // Called after each launch, with all that was observed.
  std::function<void(std::uint64_t number, const ReportedLaunch&, const Observation&)> on_launch;
  // Called with the program's output as it arrives, from a single thread.
  std::function<void(std::string_view)> on_output, on_errors;
};

struct ProgramReport {
  // The first launches, at most most_reported_launches.
  std::vector<ReportedLaunch> launches;
  std::uint64_t launch_count = 0;
  // Launches that were not run, because an earlier one had the same kernel, shape, arguments and
  // memory: they got its result.
  std::uint64_t repeated_launches = 0;
  // The first launch that did not complete, in `launches` or not.
  std::optional<ReportedLaunch> incomplete_launch;
  std::vector<Finding> findings;       // of kernels, one per cause
  std::vector<Finding> host_findings;  // of host code
  double modelled_ms = 0;              // of the whole program's work on the device
  // Whether calls failed because of ProgramSettings::failing, and a kernel ran after that.
  bool calls_failed = false, launched_after_failure = false;
  ProgramEnd end;
  std::string ending_detail;   // if a limit ended it; else empty
  bool write_refused = false;  // a file could not be opened for writing
  double elapsed_s = 0;        // wall time of the run, emulation included

  [[nodiscard]] bool has_errors() const;
};
inline constexpr std::size_t most_reported_launches = 10'000;

// Returns why a built program cannot run: its device code cannot be read, or has too large
// variables. Returns an empty text if it can, and an Error if the machine fails.
[[nodiscard]] Result<std::string> find_obstacle(const std::string& executable,
                                                const EmulatorPaths& paths);

// `paths` as for a ProgramDevice. Returns an Error if the machine fails, or the executable is not a
// program of histolab.
[[nodiscard]] Result<ProgramReport> run_program(const ProgramSettings& settings,
                                                const EmulatorPaths& paths);

}  // namespace histolab::kernels::program
