// FilterMachine: computes a filter's verdict on a system call without the kernel. No call is made,
// so a test may ask about any call.
#pragma once

#include <linux/filter.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/worker/processes/descriptor.h"

namespace histolab::sandbox::testing {

struct Call {
  std::uint32_t number = 0;
  std::array<std::uint64_t, 6> arguments{};
};

class FilterMachine {
 public:
  explicit FilterMachine(const kernels::worker::Descriptor& program);
  // Returns "allowed", "ends the process", or the name of the call's error. An instruction that
  // filters never use ends the test run.
  [[nodiscard]] std::string verdict(const Call& call, std::uint32_t architecture) const;
  [[nodiscard]] std::string verdict(const Call& call) const;  // on x86-64

 private:
  std::vector<sock_filter> code_;
};

}  // namespace histolab::sandbox::testing
