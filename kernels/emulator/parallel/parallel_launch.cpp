#include "kernels/emulator/parallel/parallel_launch.h"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "kernels/emulator/parallel/chunk_effects.h"
#include "kernels/emulator/parallel/chunk_report.h"
#include "kernels/emulator/parallel/chunk_sums.h"

namespace histolab::kernels::emulator {
namespace {

constexpr unsigned most_processes = 16;
constexpr std::uint64_t report_bytes = 32ull << 20;  // address space, mostly unused
// Memory in bytes. All children together may take memory_of_children and twice the buffers. A child
// takes memory_of_byte per byte by which blocks can communicate (mostly for the race observer),
// memory_of_thread per thread of a block (its stack), and memory_of_child.
constexpr std::uint64_t memory_of_children = 64ull << 20, memory_of_byte = 56,
                        memory_of_thread = 12 * 1024, memory_of_child = 3ull << 20;

// ---- may the launch run in chunks? -------------------------------------------------------------

unsigned cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

// Returns true if an output is the same memory as another buffer of the launch.
bool buffers_overlap(const std::vector<MappedBuffer>& buffers) {
  std::multiset<std::pair<dev_t, ino_t>> all, outputs;
  for (const MappedBuffer& buffer : buffers) {
    if (!buffer.of_this_launch) continue;
    struct stat file {};
    if (fstat(buffer.fd, &file) != 0) return true;
    all.insert({file.st_dev, file.st_ino});
    if (buffer.region->role == Region::Role::output) outputs.insert({file.st_dev, file.st_ino});
  }
  return std::ranges::any_of(outputs, [&](const auto& file) { return all.count(file) > 1; });
}

std::uint64_t work(const LaunchPlan& plan, const std::vector<MappedBuffer>& buffers) {
  std::uint64_t sum = plan.config.grid.count() * plan.config.block.count();
  for (const MappedBuffer& buffer : buffers)
    if (buffer.of_this_launch && buffer.region->role == Region::Role::input)
      sum += buffer.region->size;
  return sum;
}

bool is_watched(const Options& options) {
  return options.live != nullptr || options.recorded_accesses != 0 || options.recorded_steps != 0 ||
         options.debugged;
}

bool may_run_apart(const LaunchPlan& plan) {
  if (is_watched(plan.options)) return false;
  const Module& module = plan.module;
  const Schedule schedule = plan.options.schedule;
  const bool begins_unset = std::ranges::any_of(
      plan.window.regions(), [](const Region& r) { return r.written != nullptr; });
  return module.blocks_are_apart && !module.in_order && !begins_unset && plan.undecided.empty() &&
         (schedule == Schedule::lockstep || schedule == Schedule::run_to_barrier) &&
         plan.options.observers.races && plan.options.observers.bounds;
}

// Returns the regions by which blocks of the launch can communicate.
std::vector<const Region*> communication_regions(const Window& window,
                                                 const std::vector<MappedBuffer>& buffers) {
  std::vector<const Region*> regions;
  for (const Region& region : window.regions()) {
    const auto is_region = [&](const MappedBuffer& buffer) {
      return buffer.of_this_launch && buffer.region == &region;
    };
    const bool output =
        region.role == Region::Role::output && std::ranges::any_of(buffers, is_region);
    if (output || region.role == Region::Role::device_variable) regions.push_back(&region);
  }
  return regions;
}

std::uint64_t size_of_all(const std::vector<const Region*>& regions) {
  std::uint64_t bytes = 0;
  for (const Region* region : regions) bytes += region->size;
  return bytes;
}

unsigned processes_for(const LaunchPlan& plan, const std::vector<MappedBuffer>& buffers,
                       const Spread& spread, std::uint64_t communication_bytes) {
  std::uint64_t in_buffers = 0;
  for (const MappedBuffer& buffer : buffers)
    in_buffers += buffer.of_this_launch ? buffer.region->size : 0;
  const std::uint64_t each = memory_of_child + communication_bytes * memory_of_byte +
                             plan.config.block.count() * memory_of_thread;
  const std::uint64_t wanted = spread.processes != 0 ? spread.processes : cores();
  const std::uint64_t have_room = (memory_of_children + 2 * in_buffers) / each;
  return static_cast<unsigned>(
      std::min({wanted, plan.config.grid.count(), std::uint64_t{most_processes}, have_room}));
}

// Returns, per site, the update that it makes if it is mergeable and its result is not used. Else
// `none`.
std::vector<MergeableUpdate> blind_updates(const Module& module) {
  std::vector<MergeableUpdate> updates(65536, MergeableUpdate::none);
  for (const auto& [site, update] : module.mergeable_updates)
    if (!(*module.sites)[site].result_used) updates[site] = update;
  return updates;
}

// ---- memory shared with a child ----------------------------------------------------------------

// Pages with a report, and with the states and contents of regions.
class SharedPages {
 public:
  SharedPages() = default;
  SharedPages(SharedPages&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)),
        bytes_(other.bytes_),
        regions_(std::move(other.regions_)) {}
  SharedPages& operator=(SharedPages&&) = delete;
  ~SharedPages() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
  }

  // Returns false if memory is exhausted.
  bool map(const std::vector<const Region*>& regions) {
    bytes_ = sizeof(std::uint64_t) + report_bytes + 2 * (size_of_all(regions) + 8 * regions.size());
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = static_cast<std::uint8_t*>(memory);
    std::uint8_t* next = memory_ + sizeof(std::uint64_t) + report_bytes;
    const auto take = [&](std::uint64_t bytes) {
      return std::span(std::exchange(next, next + (bytes + 7) / 8 * 8), bytes);
    };
    for (const Region* region : regions) {
      const auto states = take(region->size);
      regions_.push_back({region, states, take(region->size)});
    }
    return true;
  }
  [[nodiscard]] const std::vector<TouchedRegion>& regions() const { return regions_; }

  bool put(const ChunkReport& report) {
    const auto used = write_report(report, {memory_ + sizeof(std::uint64_t), report_bytes});
    if (used) std::memcpy(memory_, &*used, sizeof *used);
    return used.has_value();
  }
  [[nodiscard]] std::optional<ChunkReport> report() const {
    std::uint64_t used;
    std::memcpy(&used, memory_, sizeof used);
    if (used > report_bytes) return std::nullopt;
    return read_report({memory_ + sizeof used, used});
  }

 private:
  std::uint8_t* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::vector<TouchedRegion> regions_;
};

// ---- the child ---------------------------------------------------------------------------------

struct Chunk {
  BlockRange blocks;
  SharedPages pages;
};

// Moves this process to a core of its own, and then allows all cores again. The scheduler would do
// it too late: most launches are over by then.
void begin_on_core(unsigned number) {
  cpu_set_t all, one;
  CPU_ZERO(&all);
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  number %= static_cast<unsigned>(std::max(1, CPU_COUNT(&all)));
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &all) && number-- == 0) CPU_SET(core, &one);
  sched_setaffinity(0, sizeof one, &one);
  sched_setaffinity(0, sizeof all, &all);
}

// Makes the outputs private, so that this process's writes are not visible in others. Returns false
// if that fails.
bool make_private(const std::vector<MappedBuffer>& buffers) {
  return std::ranges::all_of(buffers, [](const MappedBuffer& buffer) {
    if (buffer.region->role != Region::Role::output || buffer.region->size == 0) return true;
    return mmap(buffer.region->begin, buffer.region->size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_FIXED, buffer.fd, 0) != MAP_FAILED;
  });
}

// Runs the chunk and writes its report. Returns false if the launch must run on one core.
bool run_chunk(const LaunchPlan& plan, const std::vector<MappedBuffer>& buffers,
               const Spread& spread, std::span<const MergeableUpdate> updates, Chunk& chunk) {
  if (!make_private(buffers)) return false;
  if (spread.before_kernel != nullptr) spread.before_kernel();
  SiteTable& sites = *plan.module.sites;
  // Cleared so that afterwards it is the region that this chunk accessed last. Accesses at other
  // sites make the result unclear.
  for (const SiteNumber number : plan.module.calls) sites[number].usual = nullptr;
  std::vector<const Region*> inputs;
  for (const MappedBuffer& buffer : buffers)
    if (buffer.of_this_launch && buffer.region->role == Region::Role::input)
      inputs.push_back(buffer.region);
  ChunkReport report;
  bool unclear = false;
  const auto watch = [&](LaunchContext& context) {
    return std::make_unique<ChunkEffects>(context, chunk.pages.regions(), inputs, updates, unclear);
  };
  const Launched launched = run_blocks(plan, chunk.blocks, watch, &report.pressure);
  const Observation& seen = launched.observation;
  if (unclear || seen.ending != Ending::completed || !seen.findings.empty() ||
      !seen.printed.empty() || !launched.undecided.empty())
    return false;
  for (const TouchedRegion& touched : chunk.pages.regions())
    std::memcpy(touched.bytes.data(), touched.region->begin, touched.bytes.size());
  report.rows = launched.rows;
  report.busiest = seen.counters.busiest;
  report.lines = seen.lines;
  for (const SiteNumber number : plan.module.calls)
    if (const Site& site = sites[number]; site.usual != nullptr)
      report.sites.push_back({number, site.bytes, site.usual->id});
  return chunk.pages.put(report);
}

// ---- the parent --------------------------------------------------------------------------------

// Child processes. The destructor kills those that still run.
class Children {
 public:
  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const Child& child : running_) {
      kill(child.pid, SIGKILL);
      while (waitpid(child.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
      if (child.handle >= 0) close(child.handle);
    }
  }

  // Starts a child that calls `work`, which returns true on success. Returns false if the child
  // cannot be started.
  template <class F>
  bool start(F&& work) {
    running_.reserve(running_.size() + 1);  // after fork() nothing may throw
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) return false;
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);  // the parent has died already
      bool done = false;
      try {
        done = work();
      } catch (...) {
      }
      _exit(done ? 0 : 1);
    }
    running_.push_back({pid, static_cast<int>(syscall(SYS_pidfd_open, pid, 0))});
    return running_.back().handle >= 0;
  }

  [[nodiscard]] bool any() const { return !running_.empty(); }

  // Waits until a child ends, at most this long. Returns false if a child has failed.
  bool wait(int milliseconds) {
    std::vector<pollfd> handles;
    for (const Child& child : running_) handles.push_back({child.handle, POLLIN, 0});
    if (poll(handles.data(), handles.size(), milliseconds) < 0) return errno == EINTR;
    for (const pollfd& handle : handles) {
      if (handle.revents == 0) continue;
      const auto child = std::ranges::find(running_, handle.fd, &Child::handle);
      int status = 0;
      const pid_t ended = waitpid(child->pid, &status, WNOHANG);
      if (ended == 0) continue;
      close(child->handle);
      running_.erase(child);
      if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
    }
    return true;
  }

 private:
  struct Child {
    pid_t pid;
    int handle;  // for poll
  };
  std::vector<Child> running_;
};

std::vector<Chunk> cut(std::uint64_t blocks, unsigned processes) {
  std::vector<Chunk> chunks(processes);
  for (std::uint64_t i = 0; i < processes; ++i)
    chunks[i].blocks = {static_cast<std::uint32_t>(blocks * i / processes),
                        static_cast<std::uint32_t>(blocks * (i + 1) / processes)};
  return chunks;
}

// Calls `f` for each region, with all chunks' effects on it. Stops and returns false if `f` does.
template <class F>
bool for_each_region(const std::vector<Chunk>& chunks, F&& f) {
  for (std::size_t i = 0; i < chunks.front().pages.regions().size(); ++i) {
    std::vector<TouchedRegion> touched;
    for (const Chunk& chunk : chunks) touched.push_back(chunk.pages.regions()[i]);
    if (!f(std::span<const TouchedRegion>(touched))) return false;
  }
  return true;
}

bool chunks_fit(const std::vector<Chunk>& chunks) { return for_each_region(chunks, fit_together); }

bool wait_for_all(Children& children, const std::vector<Chunk>& chunks) {
  constexpr int longest = 128;
  for (int milliseconds = 1; children.any(); milliseconds = std::min(2 * milliseconds, longest))
    if (!children.wait(milliseconds) || !chunks_fit(chunks)) return false;
  return true;
}

}  // namespace

std::optional<Launched> launch_in_parallel(const LaunchPlan& plan,
                                           const std::vector<MappedBuffer>& buffers,
                                           const Spread& spread) {
  if (work(plan, buffers) < spread.least_work || !may_run_apart(plan)) return std::nullopt;
  const std::vector<const Region*> regions = communication_regions(plan.window, buffers);
  const unsigned processes = processes_for(plan, buffers, spread, size_of_all(regions));
  if (processes < 2 || buffers_overlap(buffers)) return std::nullopt;
  const std::vector<MergeableUpdate> updates = blind_updates(plan.module);
  std::vector<Chunk> chunks = cut(plan.config.grid.count(), processes);
  for (Chunk& chunk : chunks)
    if (!chunk.pages.map(regions)) return std::nullopt;
  {
    Children children;
    for (unsigned i = 0; i < processes; ++i) {
      const auto run = [&] {
        begin_on_core(i);
        return run_chunk(plan, buffers, spread, updates, chunks[i]);
      };
      if (!children.start(run)) return std::nullopt;
    }
    if (!wait_for_all(children, chunks)) return std::nullopt;
  }
  // All children have ended, so the shared pages do not change any more.
  if (!chunks_fit(chunks)) return std::nullopt;
  std::vector<ChunkReport> reports;
  for (const Chunk& chunk : chunks) {
    std::optional<ChunkReport> report = chunk.pages.report();
    if (!report) return std::nullopt;
    reports.push_back(std::move(*report));
  }
  Launched launched;
  launched.processes = processes;
  launched.observation.counters = shape_of(plan);
  add_up_lines(reports, launched.observation);
  if (!add_up_pressure(reports, plan.window, launched.observation) ||
      !add_up_sites(reports, plan.window, *plan.module.sites))
    return std::nullopt;
  for (const ChunkReport& report : reports) {
    launched.rows += report.rows;
    launched.observation.counters.busiest.add_blocks(report.busiest);
  }
  for_each_region(chunks, [](std::span<const TouchedRegion> touched) {
    merge_into_memory(touched);
    return true;
  });
  return launched;
}

}  // namespace histolab::kernels::emulator
