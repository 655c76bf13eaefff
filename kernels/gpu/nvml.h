// The current clock of the GPU and the reasons for slowing down, from the driver's own library
// (NVML), if there is one.
#pragma once

#include <cstdint>
#include <string>

namespace histolab::kernels::gpu {

class ClockWatch {
 public:
  // Of the CUDA device with this number.
  explicit ClockWatch(int gpu);
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;
  ~ClockWatch();

  [[nodiscard]] int sm_clock_mhz() const;  // 0: the driver does not tell
  void look();                             // notes what slows the GPU down at this moment
  [[nodiscard]] std::string throttled_by() const;  // of all looks: "power cap, temperature"; empty: nothing did

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
  std::uint64_t reasons_ = 0;
};

}  // namespace histolab::kernels::gpu
