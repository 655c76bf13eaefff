// The parameters of functions, from the compiler's debug information (DWARF, read by libdw).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace histolab::kernels::emulator {

struct FunctionParameter {
  std::string name;  // empty if it has none
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  // References are pointers here.
  bool is_pointer = false, to_const = false;
  std::uint64_t element_bytes = 0;  // of a pointer; 0 if unknown
  // The pointers in the value: itself, or members of a class.
  struct Pointer {
    std::uint64_t offset = 0;
    bool to_const = false;
  };
  std::vector<Pointer> pointers;
  // The kinds of a value's parts of 8 bytes. A part is floating if nothing else is in it, and
  // `nothing` in an empty class.
  enum class Part : std::uint8_t { nothing, floating, integer };
  std::vector<Part> parts;
  // Passed on the stack, because it is large or not aligned; `parts` is then empty.
  bool in_memory = false;
  // Passed by its address, because its class has a copy constructor or a destructor.
  bool by_reference = false;
  bool is_known = false;  // false if the debug information lacks its size
};

// Returns the parameters of those functions that begin at one of the addresses.
[[nodiscard]] std::map<std::uint64_t, std::vector<FunctionParameter>> function_parameters(
    std::span<const std::uint8_t> elf, const std::set<std::uint64_t>& functions);

}  // namespace histolab::kernels::emulator
