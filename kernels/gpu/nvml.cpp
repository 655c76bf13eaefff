#include "kernels/gpu/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

namespace histolab::kernels::gpu {
namespace {

// Constants from nvml.h (NVML API Reference). The header is in a part of the toolkit that histolab
// does not need otherwise.
constexpr int success = 0, sm_clock = 1;
struct Reason {
  std::uint64_t bit;
  const char* name;
};
constexpr std::array reasons = {Reason{0x4, "power cap"}, Reason{0x8, "hardware slowdown"},
                                Reason{0x20, "temperature"}, Reason{0x40, "hardware temperature"},
                                Reason{0x80, "power brake"}};

template <class Function>
Function find(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

ClockWatch::ClockWatch(int gpu) {
  char bus[32] = "";
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, gpu) != cudaSuccess) return;
  library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto init = find<int (*)()>(library_, "nvmlInit_v2");
  const auto by_bus =
      find<int (*)(const char*, void**)>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || by_bus == nullptr || init() != success || by_bus(bus, &device_) != success)
    device_ = nullptr;
}

ClockWatch::~ClockWatch() {
  if (const auto shutdown = find<int (*)()>(library_, "nvmlShutdown")) shutdown();
  if (library_ != nullptr) dlclose(library_);
}

int ClockWatch::sm_clock_mhz() const {
  const auto clock = find<int (*)(void*, int, unsigned int*)>(library_, "nvmlDeviceGetClockInfo");
  unsigned int mhz = 0;
  return device_ != nullptr && clock != nullptr && clock(device_, sm_clock, &mhz) == success
             ? static_cast<int>(mhz)
             : 0;
}

void ClockWatch::look() {
  const auto now = find<int (*)(void*, unsigned long long*)>(
      library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
  unsigned long long bits = 0;
  if (device_ != nullptr && now != nullptr && now(device_, &bits) == success) reasons_ |= bits;
}

std::string ClockWatch::throttled_by() const {
  std::string text;
  for (const Reason& reason : reasons)
    if ((reasons_ & reason.bit) != 0) text += (text.empty() ? "" : ", ") + std::string{reason.name};
  return text;
}

}  // namespace histolab::kernels::gpu
