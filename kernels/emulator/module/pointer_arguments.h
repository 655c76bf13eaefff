// The pointers among a kernel's arguments, and which of them are pointers to const.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/emulator/arch/raw_arguments.h"

namespace histolab::kernels::emulator {

struct PointerArguments {
  std::vector<std::uint64_t> to_const, others;
};

// Finds them by the parameter types in the kernel's mangled name. Returns nullopt if the name has
// no types, or one of them is neither a pointer nor an arithmetic type: structures may contain
// pointers.
[[nodiscard]] std::optional<PointerArguments> pointer_arguments(const std::string& mangled,
                                                                const RawArguments& arguments);

}  // namespace histolab::kernels::emulator
