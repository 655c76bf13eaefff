// Tests of live launches with real kernels: they run only as far as allowed, their state is visible
// meanwhile, and being watched does not change the results.
#include "kernels/live.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>

#include "kernels/worker/protocol/protocol.h"
#include "kernels/worker/testing/kernel_fixture.h"
#include "reference/testing/wait_until.h"

using namespace histolab;
using namespace histolab::kernels;
using namespace histolab::kernels::testing;
using reference::testing::wait_until;

namespace {

constexpr std::uint32_t bins = 8;
using Counts = std::array<std::uint64_t, bins>;

const std::string head =
    "__global__ void k(const unsigned char* data, unsigned n, unsigned* histo) {\n"
    "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;\n";
const std::string racy =
    head + "  for (unsigned j = i; j < n; j += all) histo[data[j] % 8]++;\n}\n";
const std::string atomic =
    head + "  for (unsigned j = i; j < n; j += all) atomicAdd(&histo[data[j] % 8], 1u);\n}\n";
const std::string privatized = head + R"(  __shared__ unsigned own[8];
  for (unsigned b = threadIdx.x; b < 8; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (unsigned j = i; j < n; j += all) atomicAdd(&own[data[j] % 8], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 8; b += blockDim.x) atomicAdd(&histo[b], own[b]);
}
)";
const std::string wide = head + R"(  for (unsigned j = i; j < n / 16; j += all) {
    const uint4 four = ((const uint4*)data)[j];
    const unsigned words[] = {four.x, four.y, four.z, four.w};
    for (unsigned b = 0; b < 16; ++b) atomicAdd(&histo[(words[b / 4] >> 8 * (b % 4)) % 8], 1u);
  }
}
)";
const std::string endless = head +
                            "  for (volatile unsigned j = 0;; ++j) if (j == n + 1000000u) histo[0] "
                            "= *(volatile unsigned*)histo;\n}\n";

// A launch in its own thread, with its buffers visible.
class Watched {
 public:
  Watched(const std::string& source, std::size_t length, const Options& options, Dim3 grid = {2},
          Dim3 block = {64}, std::uint64_t allowed = Live::unlimited, bool scribbled = false)
      : device_(make_emulator(emulator_paths())), bytes_(mixed_bytes(length)) {
    auto data = Buffer::copy_of(bytes_), histo = Buffer::zeroed(bins * 4);
    auto live = Live::for_input(length);
    REQUIRE((data.ok() && histo.ok() && live.ok()));
    data_.emplace(std::move(*data));
    histo_.emplace(std::move(*histo));
    live_.emplace(std::move(*live));
    live_->allow(allowed);
    if (scribbled) live_->page().allowed = 0;
    const Argument n{
        Argument::Kind::word, "n", 4, nullptr, nullptr, static_cast<std::uint32_t>(length)};
    const std::vector<Argument> arguments{{Argument::Kind::input, "data", 1, &*data_},
                                          n,
                                          {Argument::Kind::output, "histo", 4, nullptr, &*histo_}};
    const Compiled compiled = compile(source, {in("data", ""), word(0), out("histo", 0)});
    REQUIRE_MESSAGE(compiled.ok, source);
    Options watched = options;
    watched.live = &*live_;
    thread_ = std::thread([this, compiled, grid, block, arguments, watched] {
      result_.emplace(device_->launch(compiled, {grid, block}, {arguments}, watched));
      ended_ = true;
    });
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    live_->allow(Live::unlimited);
    if (thread_.joinable()) thread_.join();
  }

  Live& live() { return *live_; }
  [[nodiscard]] bool ended() const { return ended_; }

  // Waits until this many steps are made or the launch has ended.
  void until_at(std::uint64_t steps) {
    while (!ended_ && live_->progress().steps < steps)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  Observation result() {
    if (thread_.joinable()) thread_.join();
    REQUIRE_MESSAGE(result_->ok(), (result_->ok() ? "" : result_->error().message));
    REQUIRE((*result_)->size() == 1);
    return (*result_)->front();
  }
  Counts in_bins() const {
    Counts counts{};
    for (std::size_t b = 0; b < bins; ++b) {
      std::uint32_t bin = 0;
      std::memcpy(&bin, histo_->bytes().data() + 4 * b, 4);
      counts[b] = bin;
    }
    return counts;
  }
  Counts of_read() const {
    Counts counts{};
    const std::vector<std::uint64_t> words = live_->bytes_read();
    for (std::size_t i = 0; i < bytes_.size(); ++i)
      if ((words[i / 64] >> i % 64 & 1) != 0) ++counts[bytes_[i] % bins];
    return counts;
  }

 private:
  std::unique_ptr<Device> device_;
  std::vector<std::uint8_t> bytes_;
  std::optional<Buffer> data_, histo_;
  std::optional<Live> live_;
  std::thread thread_;
  std::atomic<bool> ended_{false};
  std::optional<Result<std::vector<Observation>>> result_;
};

std::uint64_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

bool at_most(const Counts& less, const Counts& more) {
  return std::ranges::equal(less, more, [](std::uint64_t a, std::uint64_t b) { return a <= b; });
}

}  // namespace

TEST_CASE("a launch without allowed steps makes none, and continues when steps are allowed") {
  for (const Schedule schedule : all_schedules) {
    Watched launch(atomic, 500, under(schedule), {2}, {64}, 0);
    CHECK(wait_until([&] { return launch.live().held_back(); }));
    CHECK_FALSE(launch.ended());
    CHECK(launch.live().progress().steps == 0);
    CHECK(sum(launch.in_bins()) == 0);
    launch.live().allow(Live::unlimited);
    CHECK(launch.result().ending == Ending::completed);
    CHECK(launch.in_bins() == launch.of_read());
    CHECK(sum(launch.in_bins()) == 500);
    CHECK(launch.live().progress().blocks == 2);
    CHECK_FALSE(launch.live().held_back());
  }
}

TEST_CASE(
    "step by step, the bins agree with the bytes read, except for updates in flight or lost") {
  struct Case {
    const std::string* source;
    // Updates of one step that were read but not yet written: one per lane of the block.
    std::uint64_t apart;
    bool loses;
  };
  for (const Schedule schedule : all_schedules)
    for (const Case& c : {Case{&atomic, 64, false}, Case{&racy, ~0ull, true},
                          Case{&privatized, ~0ull, false}, Case{&wide, 64 * 16, false}}) {
      CAPTURE(std::string(name(schedule)));
      CAPTURE(*c.source);
      Watched launch(*c.source, 384, under(schedule), {2}, {64}, 0);
      std::uint64_t read_before = 0, steps = 0;
      while (!launch.ended()) {
        launch.live().allow(++steps);
        launch.until_at(steps);
        const std::uint64_t made = launch.live().progress().steps;
        CHECK((made == steps || launch.ended()));
        const Counts read = launch.of_read(), in_bins = launch.in_bins();
        if (launch.live().progress().looking_again) break;
        CHECK(sum(read) >= read_before);
        CHECK(at_most(in_bins, read));
        if (!launch.ended()) CHECK(sum(read) - sum(in_bins) <= c.apart);
        read_before = sum(read);
      }
      CHECK(steps >= 4);
      launch.live().allow(Live::unlimited);
      CHECK(launch.result().ending == Ending::completed);
      CHECK(sum(launch.of_read()) == 384);
      if (!c.loses)
        CHECK(launch.in_bins() == launch.of_read());
      else
        CHECK(at_most(launch.in_bins(), launch.of_read()));
    }
}

TEST_CASE("in lockstep, the lost updates of a racy kernel are visible while it runs") {
  Watched launch(racy, 64, under(Schedule::lockstep), {1}, {32}, 0);
  launch.live().allow(1);
  launch.until_at(1);
  CHECK(sum(launch.of_read()) == 32);
  CHECK(sum(launch.in_bins()) == 0);  // all lanes have read their bin, and none has written it
  launch.live().allow(2);
  launch.until_at(2);
  const Counts in_bins = launch.in_bins();
  CHECK(std::ranges::all_of(in_bins, [](std::uint64_t count) { return count <= 1; }));
  CHECK(sum(launch.of_read()) == 32);
}

TEST_CASE("a launch with fewer allowed steps than it has made waits at its current step") {
  Watched launch(atomic, 5000, under(Schedule::lockstep), {2}, {64}, 5);
  launch.until_at(5);
  launch.live().allow(1);
  CHECK(wait_until([&] { return launch.live().held_back(); }));
  const std::uint64_t made = launch.live().progress().steps;
  CHECK(made == 5);
  launch.live().allow(made + 1);
  launch.until_at(made + 1);
  CHECK(launch.live().progress().steps == 6);
}

TEST_CASE("a held-back launch hits no time limit; an endless one does") {
  Options options = under(Schedule::lockstep);
  // Times six in wall time: even a busy machine starts a launch faster.
  options.time_limit = std::chrono::seconds(1);
  Watched paused(atomic, 500, options, {2}, {64}, 3);
  paused.until_at(3);
  std::this_thread::sleep_for(7 * options.time_limit);
  CHECK_FALSE(paused.ended());
  paused.live().allow(Live::unlimited);
  CHECK(paused.result().ending == Ending::completed);

  Watched forever(endless, 10, options);
  const Observation observation = forever.result();
  CHECK(observation.ending != Ending::completed);

  // A kernel that writes into the page and makes its own launch sleep. It is not held back, so the
  // wall clock runs.
  Watched asleep(atomic, 500, options, {2}, {64}, Live::unlimited, true);
  CHECK(asleep.result().ending == Ending::timed_out);
}

TEST_CASE("the worker of a held-back launch is killed with its watcher") {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const Compiled compiled = compile(atomic, {in("data", ""), word(0), out("histo", 0)});
  REQUIRE(compiled.ok);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Watched launch(atomic, 500, under(Schedule::lockstep), {2}, {64}, 2);
    launch.until_at(2);
    static_cast<void>(!write(ready[1], "x", 1));
    for (;;) pause();
  }
  close(ready[1]);
  char x = 0;
  CHECK(read(ready[0], &x, 1) == 1);
  close(ready[0]);
  kill(child, SIGKILL);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  // The worker is now a child of this process, and so is its guardian, which may end first.
  pid_t ended = waitpid(-1, &status, 0);
  if (WIFEXITED(status)) ended = waitpid(-1, &status, 0);
  CHECK(ended > 0);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
}

TEST_CASE("the progress says whether a launch is run a second time") {
  // Threads write one value. Only a second run, in order, shows that.
  const std::string same_value = head + "  if (i < n) histo[0] = 7;\n}\n";
  Watched twice(same_value, 100, under(Schedule::lockstep));
  const Observation observation = twice.result();
  CHECK(std::ranges::any_of(observation.findings,
                            [](const Finding& f) { return f.severity == Severity::note; }));
  CHECK(twice.live().progress().looking_again);
  CHECK(twice.live().progress().blocks == 2);  // of the first run.
  CHECK(twice.in_bins()[0] == 7);
  Watched once(atomic, 100, under(Schedule::lockstep));
  CHECK(once.result().findings.empty());
  CHECK_FALSE(once.live().progress().looking_again);
}

TEST_CASE("only bytes read from the first input count") {
  const std::string source =
      R"(__global__ void k(unsigned* out, const unsigned char* data, const unsigned* more) {
  const unsigned t = threadIdx.x;
  out[t] = data[2 * t] + more[t];
  if (t == 0) memcpy(&out[40], data + 65, 4);
  if (t == 1) ((unsigned char*)data)[127] = 1;
})";
  auto live = Live::for_input(128);
  REQUIRE(live.ok());
  Options options = under(Schedule::run_to_barrier);
  options.live = &*live;
  auto data = in("data", mixed_bytes(128));
  const auto compiled = compile(source, {out("out", 0), data, in("more", "")});
  REQUIRE(compiled.ok);
  auto device = make_emulator(emulator_paths());
  auto out_buffer = Buffer::zeroed(400), data_buffer = Buffer::copy_of(data.bytes),
       more_buffer = Buffer::zeroed(400);
  REQUIRE((out_buffer.ok() && data_buffer.ok() && more_buffer.ok()));
  const auto observed = device->launch(compiled, {{1}, {32}},
                                       {{{Argument::Kind::output, "out", 4, nullptr, &*out_buffer},
                                         {Argument::Kind::input, "data", 1, &*data_buffer},
                                         {Argument::Kind::input, "more", 4, &*more_buffer}}},
                                       options);
  REQUIRE(observed.ok());
  CHECK((*observed)[0].ending == Ending::completed);
  std::vector<std::uint64_t> expected(2);
  for (std::size_t i = 0; i < 64; i += 2) expected[0] |= 1ull << i;
  expected[1] = 0b11110;
  CHECK(live->bytes_read() == expected);
}

namespace {

// Everything in an observation except the time and the recorded accesses.
std::string everything(Outcome outcome) {
  worker::Answer answer;
  for (Observation& o : outcome.launches) {
    o.host_elapsed_s = 0;
    o.accesses.clear();
    o.steps.clear();
    answer.observations.push_back(o);
  }
  return worker::to_text(answer) +
         fmt::format("{}", fmt::join(outcome.output<std::uint8_t>(), " "));
}

}  // namespace

TEST_CASE("watched, recorded or neither: histogram, counters and findings are identical") {
  const std::string kernels[] = {
      racy,
      atomic,
      privatized,
      wide,
      head +
          "  __shared__ unsigned own[8];\n  if (threadIdx.x < 8) own[threadIdx.x] = 0;\n  "
          "__syncthreads();\n"
          "  for (unsigned j = i; j < n; j += all) own[data[j] % 8]++;\n  __syncthreads();\n  if "
          "(threadIdx.x < 8) "
          "histo[threadIdx.x] += own[threadIdx.x];\n}\n",
      head + "  if (i < n) histo[i % 2] = 7;\n}\n",  // needs a second run.
      head +
          "  for (unsigned j = i; j < n; j += all) { unsigned* p = &histo[data[j] % 8]; unsigned "
          "old = *p, seen;\n"
          "    while ((seen = atomicCAS(p, old, old + 1)) != old) old = seen; }\n}\n",
      "__device__ unsigned lock;\n" + head +
          "  if (threadIdx.x % 32 == 0) { while (atomicExch(&lock, 1u) != 0) { } __threadfence(); "
          "histo[1]++;\n"
          "    __threadfence(); atomicExch(&lock, 0u); }\n}\n",
      head +
          "  const unsigned mask = __ballot_sync(~0u, i < n && data[i % n] % 2); if (threadIdx.x % "
          "32 == 0) "
          "atomicAdd(histo, (unsigned)__popc(mask));\n"
          "  histo[1] += __shfl_down_sync(~0u, mask, 1);\n}\n",
      head +
          "  __shared__ unsigned own[64][4];\n  if (threadIdx.x < 64) { memset(own[threadIdx.x], "
          "i, 16); memcpy(histo "
          "+ 4, own[threadIdx.x], 16); }\n}\n",
      head +
          "  unsigned* own = (unsigned*)malloc(8); own[0] = data[i % n]; histo[2] += own[0]; "
          "printf(\"%u\\n\", "
          "own[0]); free(own);\n}\n",
      head + "  histo[i] = i;\n}\n",  // beyond the end.
      head + "  ((unsigned char*)data)[i % n] = 1;\n}\n",
      head + "  if (i == 70) histo[0] = n / (data[0] - data[0]);\n  histo[1]++;\n}\n",
      head + "  while (*(volatile unsigned*)histo == 0) { }\n}\n",
  };
  for (const std::string& source : kernels)
    for (const Schedule schedule : all_schedules) {
      CAPTURE(std::string(name(schedule)));
      const std::vector<std::uint8_t> data = mixed_bytes(1000);
      Launch launch{.grid = {3},
                    .block = {100},
                    .arguments = {in("data", data), word(1000), out("histo", 8)},
                    .options = under(schedule, 5),
                    .times = 2};
      launch.options.steps_per_thread = 3000;
      const std::string alone = everything(run(source, launch));
      auto live = Live::for_input(data.size());
      REQUIRE(live.ok());
      launch.options.live = &*live;
      CHECK_MESSAGE(everything(run(source, launch)) == alone, source);
      launch.options.recorded_accesses = launch.options.recorded_steps = 50;
      auto other = Live::for_input(data.size());
      REQUIRE(other.ok());
      launch.options.live = &*other;
      CHECK_MESSAGE(everything(run(source, launch)) == alone, source);
      launch.options.live = nullptr;
      CHECK_MESSAGE(everything(run(source, launch)) == alone, source);
    }
}

TEST_CASE("all of a large watched launch is seen") {
  Watched launch(atomic, 600'000, under(Schedule::run_to_barrier), {16}, {256});
  CHECK(launch.result().ending == Ending::completed);
  CHECK(launch.in_bins() == launch.of_read());
  CHECK(sum(launch.of_read()) == 600'000);
  CHECK(launch.live().progress().blocks == 16);
}
