// AccessRecorder: the traffic observer that also keeps the first warp-level accesses as they are, each with what it
// cost. For who wants to look at them one by one.
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
