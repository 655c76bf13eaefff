#include "tools/model/compiled_kernels.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace histolab::model {

using kernels::gpu::check;

Truths truths_of(const std::vector<std::uint8_t>& data) {
  Truths truths{{7, {}}, {256, {}}};
  std::thread letters{[&] { truths.at(7) = reference::histogram(data, {reference::Domain::letters, 7, 4}); }};
  truths.at(256) = reference::histogram(data, {reference::Domain::bytes, 256, 1});
  letters.join();
  return truths;
}

unsigned int CompiledKernel::grid(std::uint64_t length, int multiprocessors) const {
  if (rule == "fixed") return static_cast<unsigned int>(multiprocessors) * 8;
  const std::uint64_t share = rule == "per_coarse_element" ? std::uint64_t{block} * factor : block;
  return static_cast<unsigned int>((length + share - 1) / share);
}

void CompiledKernel::launch(std::uint64_t length, unsigned int grid, const kernels::gpu::DeviceMemory& data, const kernels::gpu::DeviceMemory& histo) const {
  const char* in = data.as<const char>();
  auto n = static_cast<unsigned int>(length);
  unsigned int* out = histo.as<unsigned int>();
  void* arguments[] = {&in, &n, &out};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(grid), dim3(block), arguments, shared_bytes, nullptr), "launch");
}

bool CompiledKernel::counted(const kernels::gpu::DeviceMemory& histo, const Truths& truths) const {
  const std::vector<std::uint64_t>& right = truths.at(bins);
  std::vector<unsigned int> got(bins);
  check(cudaMemcpy(got.data(), histo.as(), bins * sizeof(unsigned int), cudaMemcpyDeviceToHost), "read the histogram");
  return std::equal(got.begin(), got.end(), right.begin(), right.end());
}

std::vector<CompiledKernel> load_kernels(const std::string& manifest) {
  std::vector<CompiledKernel> kernels;
  std::ifstream in{manifest};
  for (std::string line; std::getline(in, line);) {
    CompiledKernel k;
    std::istringstream{line} >> k.name >> k.cubin >> k.rule >> k.factor >> k.shared_bytes >> k.bins >> k.longest;
    std::ifstream image{manifest.substr(0, manifest.rfind('/') + 1) + k.cubin, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{image}, {}};
    cudaLibrary_t library = nullptr;
    check(cudaLibraryLoadData(&library, bytes.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "load a kernel");
    check(cudaLibraryEnumerateKernels(&k.kernel, 1, library), "find the kernel");
    void* exported = nullptr;
    std::size_t size = 0;
    if (cudaLibraryGetGlobal(&exported, &size, library, "coarsening_factor") == cudaSuccess)
      check(cudaMemcpy(&k.factor, exported, sizeof k.factor, cudaMemcpyDeviceToHost), "read the factor");
    else
      static_cast<void>(cudaGetLastError());
    kernels.push_back(std::move(k));
  }
  return kernels;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in{text};
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::vector<std::uint64_t> powers_of_two(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& each : split_at_commas(text)) numbers.push_back(std::uint64_t{1} << std::stoi(each));
  return numbers;
}

}  // namespace histolab::model
