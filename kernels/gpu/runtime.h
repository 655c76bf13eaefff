// The CUDA runtime in C++: errors as exceptions, RAII for memory and events, facts about a GPU.
// Only for programs that use a GPU (histolab-gpu-worker, histolab-bench, histolab-calibrate); the
// grader does not include it. main() of such a program catches CudaError and prints it.
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
  CudaError(cudaError_t code,
            const std::string& doing);  // "cannot DOING: out of memory (cudaErrorMemoryAllocation)"
  [[nodiscard]] cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw CudaError(code, doing);
}

// `bytes` bytes of device memory, aligned to 256 bytes and uninitialized. 0 bytes give a null
// pointer. Throws CudaError if the memory cannot be allocated.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {
    if (bytes > 0) check(cudaMalloc(&data_, bytes), "allocate memory on the GPU");
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceMemory() { cudaFree(data_); }  // the launch before would have reported any error

  template <class T = std::uint8_t>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data_);
  }
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
  void record(cudaStream_t stream = nullptr) {
    check(cudaEventRecord(event_, stream), "record an event");
  }
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

// Writes twice the L2's size, so that the L2 has no data that a launch reads. The lines are
// dirty, so the next launch may wait until they are written back (11 us on an H200).
// read_flush.h avoids that.
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
  std::string name;  // "NVIDIA H200"
  // Version of the driver's kernel module ("580.159.04"). If unreadable, the driver's CUDA version
  // ("CUDA 13.0").
  std::string driver;
  int capability = 0;  // 90 is sm_90
  int multiprocessors = 0;
  std::size_t l2_bytes = 0, memory_bytes = 0, shared_bytes_per_block_opt_in = 0,
              shared_bytes_per_multiprocessor = 0;
  int max_threads_per_multiprocessor = 0, max_blocks_per_multiprocessor = 0;
  int clock_khz = 0;  // maximum
};
// Returns the facts about the GPU with this number, and selects it for the calling thread.
// Throws CudaError.
[[nodiscard]] GpuFacts use_gpu(int number);

// Return the labels of a measurement: the date in UTC ("2026-11-22") and the version of the CUDA
// runtime ("13.0").
[[nodiscard]] std::string today();
[[nodiscard]] std::string cuda_version();

}  // namespace histolab::kernels::gpu
