// Reads the contents of a cubin, a file of compiled GPU code (ELF), with libelf and without a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::gpu {

struct Cubin {
  std::vector<std::string> kernels;            // mangled names
  std::map<std::string, std::uint32_t> words;  // initial values of initialized 4-byte variables
  bool calls_the_driver = false;               // calls external functions such as printf
};

// Returns an Error if it is not a cubin.
[[nodiscard]] Result<Cubin> read_cubin(std::span<const std::uint8_t> bytes);

}  // namespace histolab::kernels::gpu
