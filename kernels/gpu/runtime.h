// The CUDA runtime in C++: errors that cannot be overlooked, memory and events that free themselves, and what a GPU is.
//
// For programs that talk to a GPU (histolab-gpu-worker, histolab-bench, histolab-calibrate); the grader never includes it. Failures of the
// runtime are exceptions here, inside one program: its main() catches CudaError and says it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace histolab::kernels::gpu {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& doing);  // "cannot DOING: out of memory (cudaErrorMemoryAllocation)"
  [[nodiscard]] cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw CudaError(code, doing);
}

// `bytes` of device memory, 256-byte aligned; not initialized. 0 bytes is a null pointer.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) check(cudaMalloc(&data_, bytes), "allocate memory on the GPU");
  }
  DeviceMemory(DeviceMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_), std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory() { cudaFree(data_); }  // an error here was already one at the launch before

  template <class T = std::uint8_t>
  [[nodiscard]] T* as() const { return static_cast<T*>(data_); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "create an event"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(cudaStream_t stream = nullptr) { check(cudaEventRecord(event_, stream), "record an event"); }
  [[nodiscard]] cudaEvent_t handle() const { return event_; }
  void wait() { check(cudaEventSynchronize(event_), "wait for the GPU"); }
  [[nodiscard]] float ms_since(const Event& earlier) const {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, earlier.event_, event_), "read the time between two events");
    return ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// Writes twice the L2's size, so that nothing a launch reads is in it. The lines are dirty, and the next launch may wait until they
// are written back (11 us on an H200): read_flush.h does without.
class L2Flush {
 public:
  explicit L2Flush(std::size_t l2_bytes) : scratch_(2 * l2_bytes) {}
  void operator()(cudaStream_t stream = nullptr) {
    check(cudaMemsetAsync(scratch_.as(), pattern_++, scratch_.bytes(), stream), "flush the L2");
  }

 private:
  DeviceMemory scratch_;
  int pattern_ = 0;
};

struct GpuFacts {
  std::string name;    // "NVIDIA H200"
  std::string driver;  // "580.159.04"; of the kernel module where it can be read, else the CUDA version it serves
  int capability = 0;  // 90: sm_90
  int multiprocessors = 0;
  std::size_t l2_bytes = 0, memory_bytes = 0, shared_bytes_per_block_opt_in = 0, shared_bytes_per_multiprocessor = 0;
  int max_threads_per_multiprocessor = 0, max_blocks_per_multiprocessor = 0;
  int clock_khz = 0;  // the most it may run at
};
// Of the GPU with this number; makes it the calling thread's.
[[nodiscard]] GpuFacts use_gpu(int number);

// The labels of a measurement: "2026-11-22", UTC, and the CUDA runtime, "13.0".
[[nodiscard]] std::string today();
[[nodiscard]] std::string cuda_version();

}  // namespace histolab::kernels::gpu
