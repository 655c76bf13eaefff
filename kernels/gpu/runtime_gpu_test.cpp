#include "kernels/gpu/runtime.h"

#include <doctest/doctest.h>

#include <vector>

namespace histolab::kernels::gpu {
namespace {

TEST_CASE("a GPU reports its properties") {
  const GpuFacts facts = use_gpu(0);
  CHECK_FALSE(facts.name.empty());
  CHECK_FALSE(facts.driver.empty());
  CHECK(facts.capability >= 50);
  CHECK(facts.multiprocessors > 0);
  CHECK(facts.l2_bytes > 0);
  CHECK(facts.memory_bytes > facts.l2_bytes);
  CHECK(facts.shared_bytes_per_block_opt_in <= facts.shared_bytes_per_multiprocessor);
  CHECK(facts.max_threads_per_multiprocessor >= 1024);
}

TEST_CASE("a GPU that is not there is an error with its name") {
  int count = 0;
  check(cudaGetDeviceCount(&count), "count the GPUs");
  try {
    static_cast<void>(use_gpu(count));
    FAIL("used a GPU that is not there");
  } catch (const CudaError& error) {
    CHECK(error.code() == cudaErrorInvalidDevice);
    CHECK(std::string{error.what()}.find("cudaErrorInvalidDevice") != std::string::npos);
  }
}

TEST_CASE("memory keeps what is written to it, moves, and is flushed out of the L2") {
  const GpuFacts facts = use_gpu(0);
  const std::vector<std::uint32_t> written{1, 2, 3};
  std::vector<std::uint32_t> read(written.size());
  const std::size_t bytes = written.size() * sizeof(std::uint32_t);
  DeviceMemory first{bytes};
  check(cudaMemcpy(first.as(), written.data(), bytes, cudaMemcpyHostToDevice), "copy to the GPU");
  DeviceMemory second = std::move(first);
  CHECK(first.as() == nullptr);
  Event start, end;
  start.record();
  L2Flush{facts.l2_bytes}();
  end.record();
  end.wait();
  CHECK(end.ms_since(start) >= 0);
  check(cudaMemcpy(read.data(), second.as(), bytes, cudaMemcpyDeviceToHost), "copy from the GPU");
  CHECK(read == written);
}

}  // namespace
}  // namespace histolab::kernels::gpu
