// Reads the GPU's current clock and the reasons for throttling from the driver's library (NVML), if
// it is installed.
#pragma once

#include <cstdint>
#include <string>

namespace histolab::kernels::gpu {

class ClockWatch {
 public:
  // Watches the CUDA device with this number.
  explicit ClockWatch(int gpu);
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;
  ~ClockWatch();

  // Returns the current clock in MHz, or 0 if the driver does not report it.
  [[nodiscard]] int sm_clock_mhz() const;
  // Records the current reasons for throttling.
  void look();
  // Returns all recorded reasons, such as "power cap, temperature", or an empty text.
  [[nodiscard]] std::string throttled_by() const;

 private:
  void* library_ = nullptr;
  void* device_ = nullptr;
  std::uint64_t reasons_ = 0;
};

}  // namespace histolab::kernels::gpu
