// The units of an ELF file's debug information (DWARF, read by libdw).
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <span>

namespace histolab::kernels::emulator {

// Calls `f` with each compilation unit. Does nothing if the file has none.
void for_each_unit(std::span<const std::uint8_t> elf, const std::function<void(Dwarf_Die&)>& f);

}  // namespace histolab::kernels::emulator
