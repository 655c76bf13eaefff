// Facts about a program that its executable states: variables, kernels, source lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/program/calls/messages.h"

namespace histolab::kernels::program {

struct SourceLine {
  std::string file;
  int line = 0;  // 1-based; 0 unknown
};

// A `__device__`, `__constant__` or `__managed__` variable.
struct DeviceVariable {
  std::string name;                     // in the source
  std::uint64_t host_begin = 0;         // address of the host's variable, relative to the load base
  std::uint64_t offset = 0, bytes = 0;  // in the memory file
  bool is_managed = false;
  // No kernel uses it, so it may be a variable of the host. Only calls that take a variable of the
  // device, such as cudaMemcpyToSymbol, can mean it.
  bool may_be_host = false;
};

struct KernelParameter {
  std::string name;
  std::uint32_t bytes = 0;                    // 0 if unknown, or if the call passes its address
  bool is_pointer = false, to_const = false;  // to_const: a pointer to const
  std::uint32_t element_bytes = 0;            // of a pointer; 0 if unknown
  std::vector<ArgumentPlace> places;
};

struct KernelFacts {
  std::string name;  // as findings show it: "add<4>"
  std::uint64_t static_shared_bytes = 0;
  std::uint32_t max_threads_per_block = 0;  // from __launch_bounds__, 0 without it
  bool calls_grid_sync = false;
  std::vector<KernelParameter> parameters;

  // Whether the places of all arguments are known.
  [[nodiscard]] bool places_are_known() const {
    for (const KernelParameter& each : parameters)
      if (each.bytes == 0) return false;
    return true;
  }
};

}  // namespace histolab::kernels::program
