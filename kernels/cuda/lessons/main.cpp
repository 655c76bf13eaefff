// histolab-lesson-times: measures the times in the lessons of labs 01 to 06.
//
//   histolab-lesson-times [--gpu N] [--samples N] [--seconds N] [--only TEXT]
//
// Writes JSON lines to the standard output: a description of the device, then a row per kernel when
// it is finished. Progress goes to the standard error. Before each launch, the counts are poisoned
// and zeroed, and the L2 is filled with other, clean lines. CUDA events are placed directly around
// the launch. After every launch, the counts are compared with the host's. The members of a group
// and the read limit (a kernel that only reads the same bytes) run in turns. Exit codes: 0 done; 1
// a kernel miscounted, or the GPU failed; 2 usage, or no GPU.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>

#include "kernels/cuda/cold_timer.h"
#include "kernels/cuda/lessons/data.h"
#include "kernels/cuda/lessons/experiments.h"
#include "reference/seconds_since.h"
#include "reference/statistics.h"

namespace histolab::kernels::cuda::lessons {
namespace {

using reference::six_digits;
using Json = nlohmann::ordered_json;
using gpu::check;

struct Options {
  int gpu = 0;
  unsigned samples = 9;
  double seconds = 1e9;
  std::string only;
};

void print(const Json& line) {
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

// A member of a group, with its number of bins.
struct Member {
  Choice choice;
  Work work;
  std::vector<unsigned> expected;
  std::vector<double> samples_ms, lost_percent;
  bool right = true;
};

class Measurement {
 public:
  explicit Measurement(const Options& options)
      : options_(options),
        facts_(gpu::use_gpu(options.gpu)),
        data_(std::size_t{4} << 30),
        cold_(facts_),
        counts_((most_bins + 2 * guard) * sizeof(unsigned)),
        copies_(std::size_t{1} << 30) {
    check(cudaMemset(data_.as(), 0x3c, data_.bytes()), "fill memory");
  }

  // Returns true if every kernel that must not lose updates was right.
  bool run() {
    read_limit_ = read_gb_per_s();
    print(header());
    for (const Group& group : experiments()) {
      if (!options_.only.empty() && group.experiment.find(options_.only) == std::string::npos)
        continue;
      if (seconds() > options_.seconds) {
        std::fprintf(stderr, "the time is used up: the rest is not measured\n");
        break;
      }
      std::fprintf(stderr, "%6.1f s  %s %s, %u bytes an element\n", seconds(),
                   group.experiment.c_str(), group.dataset.c_str(), group.element_bytes);
      run(group);
    }
    std::fprintf(stderr, "%6.1f s  done; the read limit is now %.0f GB/s and was %.0f\n", seconds(),
                 read_gb_per_s(), read_limit_);
    return right_;
  }

 private:
  static constexpr unsigned most_bins = 65536, guard = 64, warm_ups = 2;
  static constexpr unsigned char poison = 0xa5;

  [[nodiscard]] std::size_t persistent_blocks() const {
    return static_cast<std::size_t>(facts_.multiprocessors) * 8;
  }
  [[nodiscard]] double seconds() const { return reference::seconds_since(begun_); }

  double read_gb_per_s() {
    std::vector<double> samples;
    constexpr std::size_t bytes = std::size_t{1} << 30;
    for (unsigned run = 0; run < warm_ups + 15; ++run) {
      const double ms = cold_.read_ms(data_.as(), bytes);
      if (run >= warm_ups) samples.push_back(ms);
    }
    return static_cast<double>(bytes) / reference::median(samples) / 1e6;
  }

  Json header() {
    return {{"date", gpu::today()},
            {"device", facts_.name},
            {"driver", facts_.driver},
            {"cuda", gpu::cuda_version()},
            {"clock_mhz", facts_.clock_khz / 1000},
            {"command", "histolab-lesson-times"},
            {"multiprocessors", facts_.multiprocessors},
            {"block", block_threads},
            {"persistent_blocks", persistent_blocks()},
            {"samples", options_.samples},
            {"read_limit_gb_per_s", six_digits(read_limit_)}};
  }

  const Tile& tile(const Group& group) {
    if (!tile_ || tile_dataset_ != group.dataset || tile_binning_ != group.binning) {
      tile_.emplace(group.dataset, group.binning);
      tile_dataset_ = group.dataset;
      tile_binning_ = group.binning;
    }
    return *tile_;
  }

  void run(const Group& group) {
    Work work{data_.as(),
              group.length,
              group.element_bytes,
              group.binning,
              0,
              counts_.as<unsigned>() + guard,
              copies_.as<unsigned>(),
              static_cast<unsigned>(persistent_blocks())};
    tile(group).fill(work, data_.as());
    std::vector<Member> members;
    for (const unsigned bins : group.bins) {
      work.bins = bins;
      const auto expected = tile(group).histogram(work);
      for (const Choice& choice : group.choices)
        if (runs(choice, work, facts_.shared_bytes_per_block_opt_in))
          members.push_back({choice, work, expected, {}, {}});
    }
    const std::size_t bytes = std::size_t{group.length} * group.element_bytes;
    std::vector<double> read_ms;
    for (unsigned round = 0; round < warm_ups + options_.samples; ++round) {
      const double ms = cold_.read_ms(data_.as(), bytes);
      if (round >= warm_ups) read_ms.push_back(ms);
      for (Member& member : members) sample(member, round >= warm_ups);
    }
    for (const Member& member : members) report(group, member, reference::median(read_ms));
  }

  void sample(Member& member, bool counts) {
    const Work& work = member.work;
    check(cudaMemset(counts_.as(), poison, counts_.bytes()), "poison the counts");
    check(cudaMemset(work.histo, 0, work.bins * sizeof(unsigned)), "zero the counts");
    check(cudaMemset(work.copies, 0, copies_words(member.choice, work) * sizeof(unsigned)),
          "zero the copies");
    const double ms = cold_.ms([&] { launch(member.choice, work); });
    const double lost = verify(member);
    if (!counts) return;
    member.samples_ms.push_back(six_digits(ms));
    member.lost_percent.push_back(lost);
  }

  // Returns the percentage of missing updates. Only the race may lose updates. No kernel may invent
  // updates or write elsewhere.
  double verify(Member& member) {
    std::vector<unsigned> got(member.work.bins + 2 * guard);
    check(
        cudaMemcpy(got.data(), counts_.as(), got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost),
        "copy the counts from the GPU");
    const bool racy = member.choice.kernel == "race";
    double wanted = 0, found = 0;
    for (unsigned bin = 0; bin < member.work.bins; ++bin) {
      const unsigned count = got[guard + bin], truth = member.expected[bin];
      wanted += truth;
      found += count;
      if (racy ? count > truth : count != truth) member.right = false;
    }
    for (unsigned i = 0; i < guard; ++i)
      if (got[i] != 0x01010101u * poison ||
          got[guard + member.work.bins + i] != 0x01010101u * poison)
        member.right = false;
    return wanted > 0 ? 100 * (wanted - found) / wanted : 0;
  }

  void report(const Group& group, const Member& member, double read_ms) {
    const double ms = reference::median(member.samples_ms), elements = group.length;
    right_ = right_ && member.right;
    print({{"experiment", group.experiment},
           {"kernel", member.choice.kernel},
           {"factor", member.choice.factor > 0 ? Json(member.choice.factor) : Json(nullptr)},
           {"element_bytes", group.element_bytes},
           {"bins", member.work.bins},
           {"binning", group.binning == Binning::letters ? "letters" : "leading-bits"},
           {"dataset", group.dataset},
           {"length", group.length},
           {"median_ms", six_digits(ms)},
           {"samples_ms", member.samples_ms},
           {"elements_per_s", six_digits(elements / ms * 1e3)},
           {"percent_of_read_limit", six_digits(100 * read_ms / ms)},
           {"read_ms", six_digits(read_ms)},
           {"lost_percent", six_digits(reference::median(member.lost_percent))},
           {"verified", member.right}});
  }

  Options options_;
  gpu::GpuFacts facts_;
  gpu::DeviceMemory data_;
  ColdTimer cold_;
  gpu::DeviceMemory counts_, copies_;
  std::optional<Tile> tile_;
  std::string tile_dataset_;
  Binning tile_binning_ = Binning::letters;
  double read_limit_ = 0;
  bool right_ = true;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace
}  // namespace histolab::kernels::cuda::lessons

int main(int argc, char** argv) {
  using namespace histolab::kernels::cuda::lessons;
  Options options;
  CLI::App app{"Times the kernels that the lessons mention, one JSON object per line"};
  app.add_option("--gpu", options.gpu, "number of the GPU");
  app.add_option("--samples", options.samples, "timed launches of each kernel")
      ->check(CLI::Range(1, 1000));
  app.add_option("--seconds", options.seconds, "begin nothing after so long");
  app.add_option("--only", options.only, "experiments whose name contains this");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || options.gpu < 0 || options.gpu >= gpus) {
    std::fprintf(stderr, "this machine has no GPU %d that CUDA can use\n", options.gpu);
    return 2;
  }
  try {
    return Measurement{options}.run() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
