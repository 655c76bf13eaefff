// profiler-launch: launches each compiled kernel once, for a profiler (tools/profiler/record).
//
//   profiler-launch MANIFEST [--lengths 14,20] [--datasets a,b]
//
// tools/model/prepare writes the manifest. The first output line names the GPU; each further line
// describes one launch, in order. Lengths are exponents of two.
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "datasets/datasets.h"
#include "kernels/gpu/runtime.h"
#include "tools/model/compiled_kernels.h"

namespace {

using namespace histolab;
using kernels::gpu::check;

void say(const nlohmann::json& line) { std::printf("%s\n", line.dump().c_str()); }

std::vector<std::uint8_t> data_of(const std::string& dataset, std::uint64_t length) {
  auto made = datasets::generate(dataset, length, 1);
  if (!made) throw std::runtime_error(made.error().message);
  return *std::move(made);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2)
    return std::fprintf(stderr,
                        "usage: profiler-launch MANIFEST [--lengths A,B] [--datasets A,B]\n"),
           2;
  std::map<std::string, std::string> options{{"--lengths", "14,20"},
                                             {"--datasets", "uniform-letters,english,constant"}};
  for (int i = 2; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  const kernels::gpu::GpuFacts gpu = kernels::gpu::use_gpu(0);
  say({{"device", gpu.name}, {"driver", gpu.driver}, {"date", kernels::gpu::today()}});
  const std::vector<model::CompiledKernel> kernels = model::load_kernels(argv[1]);
  const kernels::gpu::DeviceMemory histo{256 * sizeof(unsigned int)};
  for (const std::uint64_t length : model::powers_of_two(options["--lengths"]))
    for (const std::string& dataset : model::split_at_commas(options["--datasets"])) {
      const std::vector<std::uint8_t> bytes = data_of(dataset, length);
      const model::Truths truths = model::truths_of(bytes);
      const kernels::gpu::DeviceMemory data{length};
      check(cudaMemcpy(data.as(), bytes.data(), length, cudaMemcpyHostToDevice), "copy the input");
      for (const model::CompiledKernel& kernel : kernels) {
        if (!kernel.takes(length)) continue;
        const unsigned int grid = kernel.grid(length, gpu.multiprocessors);
        check(cudaMemset(histo.as(), 0, histo.bytes()), "zero the histogram");
        kernel.launch(length, grid, data, histo);
        say({{"kernel", kernel.name},
             {"dataset", dataset},
             {"length", length},
             {"grid", grid},
             {"block", model::block},
             {"correct", kernel.counted(histo, truths)}});
      }
    }
} catch (const std::exception& error) {
  std::fprintf(stderr, "profiler-launch: %s\n", error.what());
  return 1;
}
