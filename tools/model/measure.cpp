// model-measure: times compiled kernels for the comparison with the model.
//
//   model-measure MANIFEST OUT.json [--lengths 14,22,26,28,24,20,18] [--datasets a,b] [--seconds
//   120]
//
// tools/model/prepare writes the manifest. Each row of the result is one kernel on one dataset at
// one length: the median of 9 launches between CUDA events. Before each launch the histogram is
// zeroed and the L2 is full of other clean lines. A length with an expected time of more than 0.4 s
// per launch is left out, and so is everything after the time limit; `left_out` lists them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "datasets/datasets.h"
#include "kernels/cuda/cold_timer.h"
#include "kernels/gpu/runtime.h"
#include "reference/seconds_since.h"
#include "tools/model/compiled_kernels.h"

namespace {

using namespace histolab;
using kernels::gpu::check;
using Clock = std::chrono::steady_clock;

// Generates the eight inputs, each on its own thread.
std::vector<std::vector<std::uint8_t>> inputs_of(const std::vector<std::string>& names,
                                                 std::uint64_t length) {
  std::vector<std::vector<std::uint8_t>> inputs(names.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < names.size(); ++i)
    threads.emplace_back([&, i] {
      auto made = datasets::generate(names[i], length, 1);
      if (!made) std::fprintf(stderr, "%s\n", made.error().message.c_str()), std::exit(2);
      inputs[i] = std::move(*made);
    });
  for (std::thread& each : threads) each.join();
  return inputs;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3)
    return std::fprintf(stderr,
                        "usage: model-measure MANIFEST OUT.json [--lengths A,B] [--datasets A,B] "
                        "[--seconds N]\n"),
           2;
  std::map<std::string, std::string> options{
      {"--lengths", "14,22,26,28,24,20,18"},
      {"--datasets", "uniform-letters,english,zipf,constant,two-bins,runs,sorted,mixed"},
      {"--seconds", "120"}};
  for (int i = 3; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  const auto begun = Clock::now();
  const auto seconds = [&] { return reference::seconds_since(begun); };
  const double limit = std::stod(options["--seconds"]);
  const std::vector<std::string> names = model::split_at_commas(options["--datasets"]);
  const std::vector<std::uint64_t> lengths = model::powers_of_two(options["--lengths"]);

  const kernels::gpu::GpuFacts gpu = kernels::gpu::use_gpu(0);
  const std::vector<model::CompiledKernel> kernels = model::load_kernels(argv[1]);
  kernels::gpu::DeviceMemory data{*std::max_element(lengths.begin(), lengths.end())}, histo{1024};
  kernels::cuda::ColdTimer cold{gpu};
  nlohmann::json rows = nlohmann::json::array(), left_out = nlohmann::json::array();
  std::map<std::pair<std::size_t, std::size_t>, double>
      per_element;  // ms, per kernel and dataset, at the previous length

  for (std::size_t at = 0; at < lengths.size(); ++at) {
    const std::uint64_t length = lengths[at];
    const auto inputs = inputs_of(names, length);
    for (std::size_t d = 0; d < names.size(); ++d) {
      const model::Truths truths = model::truths_of(inputs[d]);
      check(cudaMemcpy(data.as(), inputs[d].data(), length, cudaMemcpyHostToDevice),
            "copy the input");
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        const model::CompiledKernel& kernel = kernels[k];
        const double expected = per_element[{k, d}] * static_cast<double>(length);
        if (!kernel.takes(length) || expected > 400 || seconds() > limit) {
          left_out.push_back({{"kernel", kernel.name}, {"dataset", names[d]}, {"length", length}});
          continue;
        }
        const unsigned int grid = kernel.grid(length, gpu.multiprocessors);
        std::vector<double> samples;
        const std::size_t wanted = expected > 50 ? 3 : expected > 10 ? 5 : 9;
        for (std::size_t s = 0; s < wanted + 2; ++s) {
          check(cudaMemsetAsync(histo.as(), 0, histo.bytes()), "zero the histogram");
          const double ms = cold.ms([&] { kernel.launch(length, grid, data, histo); });
          if (s >= 2 || expected > 100) samples.push_back(ms);  // the first two are for warming up
          if (samples.size() == wanted) break;
        }
        std::sort(samples.begin(), samples.end());
        const double median = samples[samples.size() / 2];
        per_element[{k, d}] = median / static_cast<double>(length);
        rows.push_back({{"kernel", kernel.name},
                        {"dataset", names[d]},
                        {"length", length},
                        {"grid", grid},
                        {"block", model::block},
                        {"measured_ms", median},
                        {"least_ms", samples.front()},
                        {"samples", samples.size()},
                        {"correct", kernel.counted(histo, truths)}});
      }
      std::fprintf(stderr, "%6.1f s  2^%d %s\n", seconds(),
                   static_cast<int>(__builtin_ctzll(length)), names[d].c_str());
    }
  }
  nlohmann::json out{
      {"date", kernels::gpu::today()},          {"device", gpu.name}, {"driver", gpu.driver},
      {"multiprocessors", gpu.multiprocessors}, {"rows", rows},       {"left_out", left_out}};
  std::ofstream{argv[2]} << out.dump(0) << "\n";
  std::fprintf(stderr, "%zu rows, %zu left out\n", rows.size(), left_out.size());
} catch (const std::exception& error) {
  std::fprintf(stderr, "model-measure: %s\n", error.what());
  return 1;
}
