// What a filter of system calls says of a call, without the kernel: nothing is called, so anything
// may be asked.
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
  // "allowed", "ends the process", or the name of the error that the call has. An instruction that
  // no filter has ends the test run.
  [[nodiscard]] std::string says(const Call& call, std::uint32_t architecture) const;
  [[nodiscard]] std::string says(const Call& call) const;  // x86-64's

 private:
  std::vector<sock_filter> code_;
};

}  // namespace histolab::sandbox::testing
