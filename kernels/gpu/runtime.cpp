#include "kernels/gpu/runtime.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>

namespace histolab::kernels::gpu {
namespace {

// Returns the first word after "Module" that begins with a digit, as in "NVRM version: NVIDIA UNIX
// x86_64 Kernel Module  580.159.04  ...". Returns an empty text if there is no such file or word.
std::string driver_of_the_kernel() {
  std::ifstream in{"/proc/driver/nvidia/version"};
  std::string line, word;
  std::getline(in, line);
  std::istringstream words{line.substr(std::min(line.find("Module"), line.size()))};
  while (words >> word)
    if (word[0] >= '0' && word[0] <= '9') return word;
  return {};
}

// 13000 -> "13.0"
std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int attribute(cudaDeviceAttr which, int number) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, number), "query the GPU's limits");
  return value;
}

}  // namespace

CudaError::CudaError(cudaError_t code, const std::string& doing)
    : std::runtime_error("cannot " + doing + ": " + cudaGetErrorString(code) + " (" +
                         cudaGetErrorName(code) + ")"),
      code_(code) {}

GpuFacts use_gpu(int number) {
  check(cudaSetDevice(number), "use the GPU");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "query the GPU's properties");
  GpuFacts facts;
  facts.name = properties.name;
  facts.driver = driver_of_the_kernel();
  if (facts.driver.empty()) {
    int version = 0;
    check(cudaDriverGetVersion(&version), "query the driver's version");
    facts.driver = "CUDA " + dotted(version);
  }
  facts.capability = properties.major * 10 + properties.minor;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.shared_bytes_per_block_opt_in = properties.sharedMemPerBlockOptin;
  facts.shared_bytes_per_multiprocessor = properties.sharedMemPerMultiprocessor;
  facts.max_threads_per_multiprocessor = properties.maxThreadsPerMultiProcessor;
  facts.max_blocks_per_multiprocessor = properties.maxBlocksPerMultiProcessor;
  facts.clock_khz = attribute(cudaDevAttrClockRate, number);
  return facts;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%F", std::gmtime(&now));
  return date;
}

std::string cuda_version() {
  int version = 0;
  check(cudaRuntimeGetVersion(&version), "query the version of the CUDA runtime");
  return dotted(version);
}

}  // namespace histolab::kernels::gpu
