// Device: the interface that compiles and runs kernels. It uses plain values:
//   Source -> compile -> Compiled -> launch(LaunchConfig, Arguments, Options) -> Observation
// A student's mistake (a compile error, a crash, an endless loop) is part of the value. An Error
// means that the machine failed. Implementations: the emulator (kernels/worker/client.h) and a GPU
// (kernels/gpu/gpu.h).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/buffer.h"
#include "kernels/cancellation.h"
#include "kernels/finding.h"
#include "kernels/live.h"
#include "kernels/processor_budget.h"
#include "reference/counters.h"
#include "reference/result.h"

namespace histolab::kernels {

struct Source {
  std::string path;  // the student's file name; only for messages
  std::string text;
};

// The lab's ABI, which the kernel must have. Only size and pointerness of the parameters
// are checked. So `int length` and `const unsigned char* data` are accepted like the
// declaration in the stub.
struct KernelSignature {
  enum class Parameter { pointer, word };  // word: a 32-bit integer
  std::string name = "histogram";
  std::vector<Parameter> parameters;
  std::string declaration;  // shown if the student's declaration differs
  // Names of `extern "C" __device__ const unsigned int` variables that the harness reads.
  std::vector<std::string> exports;
  bool tells_local_memory = false;  // Compiled must report local memory
  bool is_mangled = false;          // `name` is the symbol's name, and nothing else counts
  bool is_of_program = false;       // the source is a whole program, which launches the kernel
};

struct Diagnostic {
  Severity severity = Severity::error;  // note: a warning or a remark of the compiler
  int line = 0;                         // 1-based, in the student's file; 0 for the whole file
  int column = 0;                       // 1-based, in display columns
  std::string message;
};

// A local array with an index that is unknown until the kernel runs. So the array cannot simply be
// kept in registers.
struct IndexedArray {
  std::string name;
  int line = 0;  // line of the first such index
  // Lines that access the array. Empty if nvcc may keep it in registers because it is small. nvcc's
  // code then compares the index with that of every element.
  std::vector<int> memory_lines = {};
};

struct Compiled {
  bool ok = false;
  bool is_program = false;                       // a launch runs the whole program
  bool refused = false;                          // valid C++, but not allowed in a submission
  std::vector<Diagnostic> diagnostics;           // in source order; at least one error if !ok
  std::map<std::string, std::uint32_t> exports;  // the signatures' exports that the source defines
  // For all kernels of the file together.
  std::vector<IndexedArray> indexed_arrays;  // emulator only
  std::optional<std::uint64_t> local_bytes;  // GPU only: per thread, as reported by ptxas
  std::string path;                          // Source::path
  std::shared_ptr<const void> image;         // private to the device; null if !ok
  // Shared by all launches of this kernel on the emulator. If null, only the limit per
  // launch applies.
  std::shared_ptr<ProcessorBudget> budget;
};

enum class Schedule { lockstep, run_to_barrier, random, adversarial };
inline constexpr Schedule all_schedules[] = {Schedule::lockstep, Schedule::run_to_barrier,
                                             Schedule::random, Schedule::adversarial};
[[nodiscard]] std::string_view name(Schedule schedule);

// The order in which the emulator runs the blocks of a grid. In the schedules lockstep and
// run_to_barrier, the warps of a block take turns in the same order. `random` is a permutation
// drawn from Options::seed, a different one for the warps of each block. `interleaved` requires the
// schedule adversarial: a block is interrupted before accesses to global memory while others run.
// It shows mistakes only in the result, because races are not detected.
enum class BlockOrder { ascending, descending, random, interleaved };
inline constexpr BlockOrder all_block_orders[] = {BlockOrder::ascending, BlockOrder::descending,
                                                  BlockOrder::random, BlockOrder::interleaved};
[[nodiscard]] std::string_view name(BlockOrder order);
[[nodiscard]] constexpr bool fit_together(Schedule schedule, BlockOrder order) {
  return order != BlockOrder::interleaved || schedule == Schedule::adversarial;
}

struct LaunchConfig {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  // Allows more than 48 KiB, like cudaFuncAttributeMaxDynamicSharedMemorySize in a host program.
  bool shared_opt_in = false;
  // The device whose limits apply (reference/device_profile.h). An unknown name
  // means the first one.
  std::string profile = "h200";
  std::uint32_t kernel = 0;  // index of the compiled signature
};

// One kernel argument. Buffers are borrowed: the caller keeps them alive during the launch.
struct Argument {
  enum class Kind { input, output, word };
  Kind kind = Kind::word;
  std::string name;                 // the name in findings: "data", "histo"
  std::uint32_t element_bytes = 1;  // for indices in findings
  const Buffer* input = nullptr;    // never changed by a launch, even if the kernel tries to
  Buffer* output = nullptr;         // read and written by the kernel
  std::uint32_t word = 0;
  // Output: false for scratch memory. The kernel may read only what it has written there.
  bool initialized = true;
  // Input: number of bytes at the start of the buffer that the kernel does not get; below 4096.
  std::uint32_t offset = 0;
};

// The observers that watch a launch. All are on unless the user turns one off.
struct Observers {
  bool races = true, bounds = true, initialization = true, alignment = true, traffic = true;
};
struct NamedObserver {
  std::string_view name;
  bool Observers::*is_on;
};
inline constexpr NamedObserver all_observers[] = {{"races", &Observers::races},
                                                  {"bounds", &Observers::bounds},
                                                  {"initialization", &Observers::initialization},
                                                  {"alignment", &Observers::alignment},
                                                  {"traffic", &Observers::traffic}};

struct Options {
  Schedule schedule = Schedule::lockstep;
  BlockOrder block_order = BlockOrder::ascending;
  std::uint64_t seed = 1;                        // for random schedules and orders
  std::uint64_t steps_per_thread = 1u << 20;     // limit of memory accesses and barriers per thread
  std::chrono::milliseconds time_limit{10'000};  // processor time; a busy machine may take longer
  Observers observers;

  // ---- Only for the emulator; a GPU ignores these. They apply to the first launch of a call,
  // whose blocks then run one after the other in one process. They do not change its results,
  // counters or findings. ----
  static constexpr std::uint32_t most_recorded = 4096;  // upper limit for both numbers below
  Live* live = nullptr;  // lets a watcher pause the launch; borrowed, for this launch only
  // Number of accesses of warps to record, from the start. Needs `observers.traffic`.
  std::uint32_t recorded_accesses = 0;
  // Number of accesses of threads to record, from the start; only memory that others can access.
  std::uint32_t recorded_steps = 0;
  // The threads whose accesses are recorded, by their numbers in the grid: threads of earlier
  // blocks plus the number in the block. Empty for all.
  std::vector<std::uint64_t> recorded_threads = {};
  // For a debugger (kernels/emulator/debugger/debugger.h). All threads of a block start before any
  // thread continues. Rows are checked as early as possible. The launch has no time limit.
  bool debugged = false;
};

// The effect of an access on memory.
enum class Operation { load, store, atomic, compare_and_swap, exchange };
[[nodiscard]] std::string_view name(Operation operation);

// One memory instruction of a warp, to one variable in global or shared memory. Costs are counted
// like the counters (docs/counters.md). Accesses of one warp are in program order; the schedule
// determines the order of the warps.
struct RecordedAccess {
  std::uint32_t block = 0, warp = 0;  // linear; the warp within its block
  int line = 0;                       // 1-based; 0 unknown
  Operation operation = Operation::load;
  Space space = Space::global;
  std::string variable;
  std::uint32_t bytes = 0;   // per lane
  std::uint32_t active = 0;  // active lanes, one bit per lane
  // Per lane: the offset of its first byte in the variable. An inactive lane has the offset of the
  // first active lane.
  std::array<std::uint32_t, 32> offset{};
  std::uint64_t base = 0;        // offset of the variable in shared memory, for its banks; else 0
  std::uint32_t sectors = 0;     // 32-byte sectors, if global
  std::uint32_t wavefronts = 0;  // if shared
  std::uint32_t same_address_degree = 0;  // if atomic: the most lanes on one address
  int file = 0;  // of `line`: number in Observation::files, from 1; 0 for the student's one file
};

// One thread's access of 1, 2, 4 or 8 bytes to memory that several threads can write: an output, a
// __device__ variable, allocated memory, shared memory. Steps are in execution order.
struct RecordedStep {
  std::uint32_t block = 0, thread = 0;  // linear; the thread within its block
  int line = 0;                         // 1-based; 0 unknown
  Operation operation = Operation::load;
  Space space = Space::global;
  std::string variable;
  std::uint64_t index = 0;  // element of the variable
  std::uint32_t bytes = 0;
  std::uint64_t before = 0, after = 0;  // content of these bytes, as an unsigned number
  int file = 0;  // of `line`: number in Observation::files, from 1; 0 for the student's one file
};

enum class Ending {
  completed,  // every thread of every block returned
  stopped,    // by a finding: fatal out-of-bounds access, step limit, crash with a known line
  timed_out,  // by the time limit
  crashed,    // the process died or sent invalid data, and no finding explains it
};
[[nodiscard]] std::string_view name(Ending ending);

// Measured time of a kernel on a device. The emulator's own run time is never used here.
struct Timing {
  double median_ms = 0;
  double low_ms = 0, high_ms = 0;  // 95 % confidence interval of the median (order statistics)
  std::vector<double> samples_ms;  // in the order of the measurements
  // Median of the runs before any other kernel was loaded; 0 without such runs.
  double alone_ms = 0;
  int sm_clock_mhz = 0;        // median over the samples; 0 if the driver does not report it
  std::string throttled_by;    // why the GPU was throttled: "power cap, temperature"; else empty
  bool by_host_clock = false;  // the GPU's clock disagreed with the host's, so the host's was used
};

// Bytes of the input that no thread of a launch has read.
struct UnreadBytes {
  std::uint64_t bytes = 0;
  std::uint64_t first = 0;  // offset of the first such byte in the input
};

// Facts about the run of a whole program that its kernels do not show.
struct ProgramFacts {
  double printed_ms = 0;  // the time of its kernels that the program prints
  double kernels_ms = 0;  // modelled; 0 if unknown
  // True if calls failed in another run, and the program did not end with an error at once.
  bool ignores_failures = false;
};

struct Observation {
  Ending ending = Ending::completed;
  std::string ending_detail;  // for people; empty if completed
  reference::Counters counters;
  std::vector<reference::LineCounters> lines;       // the traffic by source line, ascending
  std::vector<std::string> files;                   // of a program's kernel; see LineCounters
  std::vector<reference::AtomicPressure> pressure;  // per variable with atomic updates
  std::vector<Finding> findings;
  std::optional<UnreadBytes> unread;  // of the first input; nullopt if unknown to the device
  // Emulator only: `__device__` variables that still had a value from an earlier
  // launch of the call.
  std::vector<std::string> kept_variables;
  std::optional<Timing> timing;  // nullopt on the emulator
  std::string printed;           // output of the kernel's printf, truncated to a limit
  double host_elapsed_s = 0;     // the emulator's own time for this launch; not a kernel's time
  std::vector<RecordedAccess> accesses;  // as requested in Options
  std::vector<RecordedStep> steps;       // as requested in Options
  std::optional<ProgramFacts> program;   // if a whole program ran, and completed

  // The file with this number (LineCounters, RecordedAccess, RecordedStep), or an empty text.
  [[nodiscard]] std::string file_name(int number) const {
    const auto at = static_cast<std::size_t>(number);
    return at >= 1 && at <= files.size() ? files[at - 1] : std::string{};
  }
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual std::string kind() const = 0;  // "emulator", "gpu"
  [[nodiscard]] virtual std::string name() const = 0;
  // Returns the tier of the sandbox that confines a kernel (grader/sandbox).
  [[nodiscard]] virtual std::string sandbox() const { return "none"; }
  // Compiles a source. Every signature's kernel must exist; LaunchConfig selects the one to launch.
  [[nodiscard]] virtual Result<Compiled> compile(
      const Source& source, const std::vector<KernelSignature>& signatures) = 0;
  // Launches once per entry of `launches`, one after the other, in one process that keeps
  // `__device__` memory between them. Stops after the first launch that does not complete. Returns
  // one Observation per launch made.
  [[nodiscard]] virtual Result<std::vector<Observation>> launch(
      const Compiled& compiled, const LaunchConfig& config,
      const std::vector<std::vector<Argument>>& launches, const Options& options) = 0;
};

// Kernels that are timed against each other: they take turns (A B A B ...) in one process on the
// same data.
struct TimingPlan {
  struct Kernel {
    const Compiled* compiled = nullptr;
    LaunchConfig config;
    std::vector<Argument> arguments;  // order and words; their `input` and `output` are null
  };
  // The data of one round: a prepared input with a few changed bytes. So a result of an earlier
  // round would be wrong.
  struct Sample {
    struct Change {
      std::uint64_t at = 0;
      std::uint8_t byte = 0;
    };
    std::size_t input = 0;  // index into `inputs`
    std::vector<Change> changes;
  };
  // The first kernel is judged. The others are also timed alone, before the first one is loaded.
  std::vector<Kernel> kernels;
  std::vector<const Buffer*> inputs;  // all of one size
  std::uint64_t output_bytes = 0;     // per launch; zeroed before the launch
  // At least two. The last one is for a trial run of the kernels. Each other one is for at
  // most one round.
  std::vector<Sample> samples;
  std::size_t least_samples = 7;
  // Rounds end when the relative spread of each median is at most wanted_spread, or when all rounds
  // together took `budget` (then after at least three rounds).
  double wanted_spread = 0.01;
  std::chrono::milliseconds budget{2'000};
  std::chrono::milliseconds launch_limit{2'000};  // per launch
};

struct TimedKernel {
  Ending ending = Ending::completed;
  std::string ending_detail;
  std::vector<Finding> findings;      // reported by the GPU itself, without a line
  Timing timing;                      // of the completed rounds
  std::vector<std::uint8_t> outputs;  // output_bytes per completed round; the caller checks them
};

// A device that can measure a kernel's time.
class TimedDevice : public Device {
 public:
  [[nodiscard]] virtual std::string driver() const = 0;  // "580.159.04"
  [[nodiscard]] virtual std::uint32_t multiprocessors() const = 0;
  // Returns one result per kernel. If a kernel does not complete, the rounds end there.
  [[nodiscard]] virtual Result<std::vector<TimedKernel>> time(const TimingPlan& plan) = 0;
};

}  // namespace histolab::kernels
