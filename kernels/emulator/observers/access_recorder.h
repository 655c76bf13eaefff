// AccessRecorder: a traffic observer that also records the first warp-level accesses, each with its
// cost. For programs that show single accesses.
#pragma once

#include "kernels/emulator/observers/traffic.h"

namespace histolab::kernels::emulator {

class AccessRecorder final : public TrafficObserver {
 public:
  explicit AccessRecorder(LaunchContext& context) : TrafficObserver(context), context_(context) {}
  void on_access(const WarpAccess& access) override;

 private:
  LaunchContext& context_;
};

}  // namespace histolab::kernels::emulator
