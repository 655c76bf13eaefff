// The timer that finds endless loops may interrupt a lane anywhere: in the kernel, in an observer,
// in the library. Here it does so thousands of times as often as usual.
#include <doctest/doctest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "kernels/worker/testing/child_processes.h"
#include "kernels/worker/testing/kernel_fixture.h"

using namespace histolab::kernels;
using namespace histolab::kernels::testing;

namespace {

void add_descendants(const std::string& process, std::vector<pid_t>& found) {
  for (const pid_t child : children_of(process)) {
    found.push_back(child);
    add_descendants(std::to_string(child), found);
  }
}

// Before and after a launch the signal would end the process.
bool expects_ticks(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigCgt:"))
      return (std::stoull(line.substr(7), nullptr, 16) >> (SIGPROF - 1) & 1) != 0;
  return false;
}

// While it exists, all processes below this one that run a launch get ticks.
class Ticking {
 public:
  Ticking() : thread_([this] { tick(); }) {}
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;
  ~Ticking() {
    done_ = true;
    thread_.join();
  }
  [[nodiscard]] int ticks() const { return ticks_; }

 private:
  void tick() {
    while (!done_) {
      std::vector<pid_t> processes;
      add_descendants("self", processes);
      for (const pid_t process : processes)
        for (int i = 0; i < 50 && expects_ticks(process); ++i) {
          if (kill(process, SIGPROF) == 0) ++ticks_;
          std::this_thread::sleep_for(std::chrono::microseconds(20));
        }
    }
  }

  std::atomic<bool> done_ = false;
  std::atomic<int> ticks_ = 0;
  std::thread thread_;
};

// With fences, the observers take far longer than the kernel.
const std::string kernel_that_ends = R"(
__global__ void k(unsigned int* out) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int j = 0; j < 40; ++j) {
    atomicAdd(&out[(7 * i + j) % 512], 1u);
    __threadfence();
  }
}
)";
const std::string kernel_that_waits = R"(
__global__ void k(unsigned int* out) {
  __threadfence();
  atomicAdd(&out[0], 1u);  //@arrive
  while (atomicAdd(&out[0], 0u) < gridDim.x * blockDim.x) {}  //@loop
}
)";

void check_ticked(const std::string& source, Dim3 block, const std::string& expected) {
  int ticks = 0;
  for (const Schedule schedule : all_schedules)
    for (int i = 0; i < 2; ++i) {
      Launch launch{{4, 1, 1}, block, {out("out", 512)}};
      launch.options = under(schedule);
      const Ticking ticking;
      const Outcome outcome = run(source, launch);
      REQUIRE_MESSAGE(told(outcome) == expected, name(schedule), ": ", faults(outcome));
      ticks += ticking.ticks();
    }
  CHECK(ticks > 20);
}

}  // namespace

TEST_CASE("at every timer signal: a kernel that makes progress is not taken for stuck") {
  check_ticked(kernel_that_ends, {128, 1, 1}, "");
}

TEST_CASE("at every timer signal: a deadlock is reported") {
  check_ticked(kernel_that_waits, {2, 1, 1}, "deadlock out[0] @arrive/@loop");
}
