// The program's view of the device memory.
//
// All device addresses are reserved. Only memory that the host can access, too, is mapped there:
// managed and pinned allocations. Copies use a second mapping of the whole memory file, elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/program/calls/messages.h"

namespace histolab::kernels::program {

// Maps the file. Returns false, with errno, if the address range or the file is not available.
bool map_device_memory(int file);
// Whether an address is in the device's range.
bool is_device_address(std::uint64_t address);
// Returns where the program can access a device address. Returns other addresses as they are.
std::uint8_t* accessible(std::uint64_t address);

// Makes an allocation accessible at its own address, and no longer accessible.
void map_for_host(std::uint64_t address, std::uint64_t bytes);
void unmap_for_host(std::uint64_t address);
void unmap_all_for_host();
// Makes variables of the program a part of the memory file, with their present values.
void map_variables(const SharedVariables& variables, std::uint64_t load_base);

// Forbids accesses until release_guards() of this operation.
void add_guards(std::uint64_t operation, const GuardedRange* ranges, std::size_t count);
void release_guards(std::uint64_t operation);
// Returns the operation that forbids this access, or 0.
std::uint64_t guarding(std::uint64_t address, bool writes);
// Releases whatever guards the page. Returns false if nothing does.
bool release_page(std::uint64_t address);

}  // namespace histolab::kernels::program
