// Device: the one interface through which a kernel is compiled and run.
//
//   Source -> compile -> Compiled -> launch(LaunchConfig, Arguments, Options) -> Observation
//
// Each is a plain value. The student's mistakes (a compile error, a crash, an endless loop) are inside the value;
// a Result's Error is only ever the machine's fault. The emulator (kernels/emulator, run through kernels/worker/client.h) is
// one implementation; a GPU (kernels/gpu/gpu.h) is another.
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
  std::string path;  // as the student calls the file; only for messages
  std::string text;
};

// The lab's ABI, which the kernel must have. Parameter types are judged by size and pointerness, so `int length`
// and `const unsigned char* data` are as good as the declaration in the stub.
struct KernelSignature {
  enum class Parameter { pointer, word };  // word: a 32-bit integer
  std::string name = "histogram";
  std::vector<Parameter> parameters;
  std::string declaration;  // shown when the student's differs
  std::vector<std::string> exports;  // names of `extern "C" __device__ const unsigned int` that the harness reads
  bool tells_local_memory = false;   // Compiled is to say what of the kernel lies in local memory
};

struct Diagnostic {
  Severity severity = Severity::error;  // note: a warning or a remark of the compiler
  int line = 0;                         // 1-based, in the student's file; 0 where it is about the whole file
  int column = 0;                       // 1-based, in display columns
  std::string message;
};

// A local array that cannot be kept in registers, since an index is not known before the kernel runs.
struct IndexedArray {
  std::string name;
  int line = 0;  // where it is indexed so first
  // Lines that access it. Empty if nvcc may keep it in registers, because it is small: the code then
  // compares the index with every element's.
  std::vector<int> memory_lines = {};
};

struct Compiled {
  bool ok = false;
  bool refused = false;                   // not a mistake of C++: the source uses what a submission may not
  std::vector<Diagnostic> diagnostics;    // in source order; at least one error when !ok
  std::map<std::string, std::uint32_t> exports;  // those of the signatures that the source defines
  // Of all kernels of the file together.
  std::vector<IndexedArray> indexed_arrays;   // emulator
  std::optional<std::uint64_t> local_bytes;   // GPU: of a thread's stack frame and spills, by ptxas
  std::string path;                       // Source::path
  std::shared_ptr<const void> image;      // the device's own; null when !ok
  // Shared by all launches of this kernel on the emulator. If null, each launch has its own limit
  // only.
  std::shared_ptr<ProcessorBudget> budget;
};

enum class Schedule { lockstep, run_to_barrier, random, adversarial };
inline constexpr Schedule all_schedules[] = {Schedule::lockstep, Schedule::run_to_barrier, Schedule::random,
                                             Schedule::adversarial};
[[nodiscard]] std::string_view name(Schedule schedule);
[[nodiscard]] std::optional<Schedule> schedule_from_name(std::string_view name);

// The order in which the emulator runs the blocks of a grid. In the schedules lockstep and
// run_to_barrier the warps of a block take turns in the same order. `random` is a permutation drawn
// from Options::seed, a different one for the warps of each block. `interleaved` is for the
// schedule adversarial only: a block is interrupted before accesses to global memory while others
// run. It shows mistakes only in the result: races are not looked for.
enum class BlockOrder { ascending, descending, random, interleaved };
inline constexpr BlockOrder all_block_orders[] = {BlockOrder::ascending, BlockOrder::descending,
                                                  BlockOrder::random, BlockOrder::interleaved};
[[nodiscard]] std::string_view name(BlockOrder order);
[[nodiscard]] std::optional<BlockOrder> block_order_from_name(std::string_view name);
[[nodiscard]] constexpr bool fit_together(Schedule schedule, BlockOrder order) {
  return order != BlockOrder::interleaved || schedule == Schedule::adversarial;
}

struct LaunchConfig {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool shared_opt_in = false;    // as a host program does by cudaFuncAttributeMaxDynamicSharedMemorySize: beyond 48 KiB
  std::string profile = "h200";  // whose limits hold: reference/device_profile.h; of an unknown one, the first's
  std::uint32_t kernel = 0;      // which of the signatures that it was compiled for
};

// One kernel argument. Buffers are borrowed: the caller keeps them alive during the launch.
struct Argument {
  enum class Kind { input, output, word };
  Kind kind = Kind::word;
  std::string name;                 // "data", "histo": what findings call it
  std::uint32_t element_bytes = 1;  // of one element, for indices in findings
  const Buffer* input = nullptr;    // never changed by a launch, whatever the kernel does
  Buffer* output = nullptr;         // read and written by the kernel
  std::uint32_t word = 0;
  bool initialized = true;  // output: false for scratch memory, of which the kernel may read only what it has written
  std::uint32_t offset = 0;  // input: bytes of the buffer before the first that the kernel gets; below 4096
};

// Which observers watch a launch. All of them unless the user turns one off.
struct Observers {
  bool races = true, bounds = true, initialization = true, alignment = true, traffic = true;
};
struct NamedObserver {
  std::string_view name;
  bool Observers::*is_on;
};
inline constexpr NamedObserver all_observers[] = {{"races", &Observers::races}, {"bounds", &Observers::bounds}, {"initialization", &Observers::initialization},
                                                  {"alignment", &Observers::alignment}, {"traffic", &Observers::traffic}};

struct Options {
  Schedule schedule = Schedule::lockstep;
  BlockOrder block_order = BlockOrder::ascending;
  std::uint64_t seed = 1;  // of the schedules and orders that are drawn
  std::uint64_t steps_per_thread = 1u << 20;  // memory accesses and barriers one thread may make
  std::chrono::milliseconds time_limit{10'000};  // of a processor; a busy machine may take longer
  Observers observers;

  // ---- the emulator's alone; a GPU ignores them. They are about the call's first launch, whose blocks then run one
  // after another in one process, and change nothing of what it computes, counts or finds. ----
  static constexpr std::uint32_t most_recorded = 4096;  // of each; larger requests are cut to this
  Live* live = nullptr;                 // the page of a watcher that can pause the launch; borrowed, used by this launch only
  std::uint32_t recorded_accesses = 0;  // so many of the first accesses of warps come back; needs `observers.traffic`
  std::uint32_t recorded_steps = 0;     // so many of the first accesses of single threads to memory that others see
  // For a debugger (kernels/emulator/debugger/debugger.h). All threads of a block begin before any one
  // continues, and rows are judged as early as possible. There is no limit of time.
  bool debugged = false;
};

// The effect of an access on memory.
enum class Operation { load, store, atomic, compare_and_swap, exchange };
[[nodiscard]] std::string_view name(Operation operation);

// One memory instruction of a warp, to one variable in global or shared memory. Costs are as the
// counters count them (docs/counters.md). Accesses of one warp are in their order; the schedule
// decides when a warp has its turn.
struct RecordedAccess {
  std::uint32_t block = 0, warp = 0;  // linear; the warp within its block
  int line = 0;                       // 1-based; 0 unknown
  Operation operation = Operation::load;
  Space space = Space::global;
  std::string variable;
  std::uint32_t bytes = 0;                // of one lane
  std::uint32_t active = 0;               // lanes, as bits
  // Per lane: its first byte's offset in the variable. An inactive lane has the offset of the first
  // active one.
  std::array<std::uint32_t, 32> offset{};
  std::uint64_t base = 0;                 // shared: where the variable begins in shared memory, for its banks; else 0
  std::uint32_t sectors = 0;              // global: 32-byte sectors
  std::uint32_t wavefronts = 0;           // shared
  std::uint32_t same_address_degree = 0;  // of an atomic operation: the most lanes on one address
};

// One thread's access of 1, 2, 4 or 8 bytes to memory that several threads can write: an output, a
// __device__ variable, allocated memory, shared memory. Steps are in the order in which they were
// made.
struct RecordedStep {
  std::uint32_t block = 0, thread = 0;  // linear; the thread within its block
  int line = 0;                         // 1-based; 0 unknown
  Operation operation = Operation::load;
  Space space = Space::global;
  std::string variable;
  std::uint64_t index = 0;  // element of the variable
  std::uint32_t bytes = 0;
  std::uint64_t before = 0, after = 0;  // what these bytes of memory hold, as an unsigned number
};

enum class Ending {
  completed,  // every thread of every block returned
  stopped,    // a finding ended it: out of bounds beyond repair, step limit, crash with a known line
  timed_out,  // the time limit ended it
  crashed,    // the process died or talked nonsense without a finding that explains it
};
[[nodiscard]] std::string_view name(Ending ending);

// Time that the kernel took on a device. Measured, never the emulator's own time.
struct Timing {
  double median_ms = 0;
  double low_ms = 0, high_ms = 0;  // the median lies between them with 95 % confidence (order statistics)
  std::vector<double> samples_ms;  // in the order in which they were taken
  double alone_ms = 0;             // median of the runs before any other kernel was loaded; 0 if there were no such runs
  int sm_clock_mhz = 0;            // median over the samples; 0: the driver does not tell
  std::string throttled_by;        // why the GPU ran slower than it can: "power cap, temperature"; empty: nothing did
  bool by_host_clock = false;      // the GPU's own clock disagreed with the host's, so the host's holds
};

// Bytes of the input that no thread of a launch has read.
struct UnreadBytes {
  std::uint64_t bytes = 0;
  std::uint64_t first = 0;  // the lowest such byte's place in the input
};

struct Observation {
  Ending ending = Ending::completed;
  std::string ending_detail;  // for a person; empty when completed
  reference::Counters counters;
  std::vector<reference::LineCounters> lines;       // the traffic in `counters` by source line, lowest line first
  std::vector<reference::AtomicPressure> pressure;  // of each variable that atomic operations went to
  std::vector<Finding> findings;
  std::optional<UnreadBytes> unread;  // of the first input; nullopt if the device does not know
  std::vector<std::string> kept_variables;  // emulator: `__device__` variables that began the launch with what an earlier launch of the call left
  std::optional<Timing> timing;  // nullopt on the emulator
  std::string printed;           // what the kernel's printf wrote, capped
  double host_elapsed_s = 0;     // what the emulator itself took for the launch alone; not a kernel's time
  std::vector<RecordedAccess> accesses;  // those that Options asked for
  std::vector<RecordedStep> steps;
};

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual std::string kind() const = 0;  // "emulator", "gpu"
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string sandbox() const { return "none"; }  // tier of what a kernel is confined by (grader/sandbox)
  // Every signature's kernel must exist; LaunchConfig selects the one to launch.
  [[nodiscard]] virtual Result<Compiled> compile(const Source& source, const std::vector<KernelSignature>& signatures) = 0;
  // Launches once per entry of `launches`, one after the other, in one process that keeps
  // `__device__` memory between them. Stops after the first launch that does not complete. Returns
  // one Observation per launch made.
  [[nodiscard]] virtual Result<std::vector<Observation>> launch(const Compiled& compiled, const LaunchConfig& config,
                                                                const std::vector<std::vector<Argument>>& launches,
                                                                const Options& options) = 0;
};

// Kernels to be timed against each other: they take turns (A B A B ...) in one process on the same data.
struct TimingPlan {
  struct Kernel {
    const Compiled* compiled = nullptr;
    LaunchConfig config;
    std::vector<Argument> arguments;  // their order and words; `input` and `output` of these are null
  };
  // The data of one round: a pre-made input with a few changed bytes, so that no result of an
  // earlier round is right.
  struct Sample {
    struct Change {
      std::uint64_t at = 0;
      std::uint8_t byte = 0;
    };
    std::size_t input = 0;  // in `inputs`
    std::vector<Change> changes;
  };
  std::vector<Kernel> kernels;         // the first is the one that is judged; the others are also timed alone, before it is loaded
  std::vector<const Buffer*> inputs;   // of one size
  std::uint64_t output_bytes = 0;      // of one launch; zeroed before it
  std::vector<Sample> samples;         // two at least: the last one is for trying the kernels out, the others are a round each at most
  std::size_t least_samples = 7;
  double wanted_spread = 0.01;         // rounds end when each median is known to this, relatively
  std::chrono::milliseconds budget{2'000};  // or when they took so long together (then after three rounds at least)
  std::chrono::milliseconds launch_limit{2'000};  // of one launch
};

struct TimedKernel {
  Ending ending = Ending::completed;
  std::string ending_detail;
  std::vector<Finding> findings;  // what the GPU itself noticed; no line is known
  Timing timing;                  // of the rounds that were made
  std::vector<std::uint8_t> outputs;  // output_bytes of each round that was made, for the caller to judge
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
