// model-measure: times kernels that are already compiled, for the comparison with the model.
//
//   model-measure MANIFEST OUT.json [--lengths 14,22,26,28,24,20,18] [--datasets a,b] [--seconds 120]
//
// A line of the manifest (tools/model/prepare writes it): name cubin grid-rule factor shared-bytes bins longest. Each row of the
// result is one kernel on one dataset at one length: the median of 9 launches between CUDA events, each into a zeroed
// histogram with the L2 full of other, clean lines before it. A length that is expected to take longer than 0.4 s a launch is left out, and
// nothing more is begun when the time is used up; `left_out` says what.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "datasets/datasets.h"
#include "kernels/cuda/cold_timer.h"
#include "kernels/gpu/runtime.h"
#include "reference/histogram.h"
#include "reference/seconds_since.h"

namespace {

using namespace histolab;
using kernels::gpu::check;
using Clock = std::chrono::steady_clock;

struct Kernel {
  std::string name, cubin, rule;
  unsigned int factor = 8, shared_bytes = 0, bins = 7, longest = 32;  // longest: no more elements than 2 to that
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in{text};
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::vector<Kernel> load(const std::string& manifest) {
  std::vector<Kernel> kernels;
  std::ifstream in{manifest};
  for (std::string line; std::getline(in, line);) {
    Kernel k;
    std::istringstream{line} >> k.name >> k.cubin >> k.rule >> k.factor >> k.shared_bytes >> k.bins >> k.longest;
    std::ifstream image{manifest.substr(0, manifest.rfind('/') + 1) + k.cubin, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{image}, {}};
    check(cudaLibraryLoadData(&k.library, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "load a kernel");
    check(cudaLibraryEnumerateKernels(&k.kernel, 1, k.library), "find the kernel");
    void* exported = nullptr;
    std::size_t size = 0;
    if (cudaLibraryGetGlobal(&exported, &size, k.library, "coarsening_factor") == cudaSuccess)
      check(cudaMemcpy(&k.factor, exported, sizeof k.factor, cudaMemcpyDeviceToHost), "read the factor");
    else
      static_cast<void>(cudaGetLastError());
    kernels.push_back(std::move(k));
  }
  return kernels;
}

// The eight inputs, made on as many threads.
std::vector<std::vector<std::uint8_t>> inputs_of(const std::vector<std::string>& names, std::uint64_t length) {
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

const reference::Binning letters{reference::Domain::letters, 7, 4}, bytes{reference::Domain::bytes, 256, 1};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return std::fprintf(stderr, "usage: model-measure MANIFEST OUT.json [--lengths A,B] [--datasets A,B] [--seconds N]\n"), 2;
  std::map<std::string, std::string> options{{"--lengths", "14,22,26,28,24,20,18"},
                                             {"--datasets", "uniform-letters,english,zipf,constant,two-bins,runs,sorted,mixed"},
                                             {"--seconds", "120"}};
  for (int i = 3; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  const auto begun = Clock::now();
  const auto seconds = [&] { return reference::seconds_since(begun); };
  const double limit = std::stod(options["--seconds"]);
  const std::vector<std::string> names = split(options["--datasets"]);
  std::vector<std::uint64_t> lengths;
  for (const std::string& each : split(options["--lengths"])) lengths.push_back(std::uint64_t{1} << std::stoi(each));

  const kernels::gpu::GpuFacts gpu = kernels::gpu::use_gpu(0);
  std::vector<Kernel> kernels = load(argv[1]);
  kernels::gpu::DeviceMemory data{*std::max_element(lengths.begin(), lengths.end())}, histo{1024};
  kernels::cuda::ColdTimer cold{gpu};
  nlohmann::json rows = nlohmann::json::array(), left_out = nlohmann::json::array();
  std::map<std::pair<std::size_t, std::size_t>, double> per_element;  // ms, of a kernel on a dataset at the length before

  for (std::size_t at = 0; at < lengths.size(); ++at) {
    const std::uint64_t length = lengths[at];
    const auto inputs = inputs_of(names, length);
    for (std::size_t d = 0; d < names.size(); ++d) {
      std::vector<std::uint64_t> truth[2];
      std::thread one{[&] { truth[0] = reference::histogram(inputs[d], letters); }};
      truth[1] = reference::histogram(inputs[d], bytes);
      one.join();
      check(cudaMemcpy(data.as(), inputs[d].data(), length, cudaMemcpyHostToDevice), "copy the input");
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        const Kernel& kernel = kernels[k];
        const double expected = per_element[{k, d}] * static_cast<double>(length);
        if (length > std::uint64_t{1} << kernel.longest || expected > 400 || seconds() > limit) {
          left_out.push_back({{"kernel", kernel.name}, {"dataset", names[d]}, {"length", length}});
          continue;
        }
        constexpr std::uint64_t block = 256;
        std::uint64_t share = block;
        if (kernel.rule == "per_coarse_element") share *= kernel.factor;
        std::uint64_t grid = (length + share - 1) / share;
        if (kernel.rule == "fixed") grid = static_cast<std::uint64_t>(gpu.multiprocessors) * 8;
        char* in = data.as<char>();
        auto n = static_cast<unsigned int>(length);
        unsigned int* out = histo.as<unsigned int>();
        void* arguments[] = {&in, &n, &out};
        std::vector<double> samples;
        const std::size_t wanted = expected > 50 ? 3 : expected > 10 ? 5 : 9;
        for (std::size_t s = 0; s < wanted + 2; ++s) {
          check(cudaMemsetAsync(histo.as(), 0, histo.bytes()), "zero the histogram");
          const double ms = cold.ms([&] {
            check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel.kernel), dim3(static_cast<unsigned int>(grid)), dim3(block), arguments, kernel.shared_bytes, nullptr), "launch");
          });
          if (s >= 2 || expected > 100) samples.push_back(ms);  // the first two are for warming up
          if (samples.size() == wanted) break;
        }
        std::sort(samples.begin(), samples.end());
        const double median = samples[samples.size() / 2];
        per_element[{k, d}] = median / static_cast<double>(length);
        std::vector<unsigned int> got(kernel.bins);
        check(cudaMemcpy(got.data(), out, kernel.bins * 4, cudaMemcpyDeviceToHost), "read the histogram");
        const std::vector<std::uint64_t>& right = truth[kernel.bins == 256];
        rows.push_back({{"kernel", kernel.name}, {"dataset", names[d]}, {"length", length}, {"grid", grid}, {"block", block},
                        {"measured_ms", median}, {"least_ms", samples.front()}, {"samples", samples.size()},
                        {"correct", std::equal(got.begin(), got.end(), right.begin(), right.end())}});
      }
      std::fprintf(stderr, "%6.1f s  2^%d %s\n", seconds(), static_cast<int>(__builtin_ctzll(length)), names[d].c_str());
    }
  }
  nlohmann::json out{{"date", kernels::gpu::today()}, {"device", gpu.name}, {"driver", gpu.driver}, {"multiprocessors", gpu.multiprocessors}, {"rows", rows}, {"left_out", left_out}};
  std::ofstream{argv[2]} << out.dump(0) << "\n";
  std::fprintf(stderr, "%zu rows, %zu left out\n", rows.size(), left_out.size());
} catch (const std::exception& error) {
  std::fprintf(stderr, "model-measure: %s\n", error.what());
  return 1;
}
