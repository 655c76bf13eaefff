// Cubin: the contents of a file of compiled GPU code, read without a GPU (ELF, through libelf).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::gpu {

struct Cubin {
  std::vector<std::string> kernels;              // mangled names
  std::map<std::string, std::uint32_t> words;    // initial values of the initialized 4-byte variables, by name
  bool calls_the_driver = false;                 // printf, malloc, assert, ...: functions that come from outside
};

// Returns an Error if it is not a cubin.
[[nodiscard]] Result<Cubin> read_cubin(std::span<const std::uint8_t> bytes);

}  // namespace histolab::kernels::gpu
