// DebuggerImage: a module's object file for a debugger, announced by GDB's JIT interface.
//
// See docs/emulator.md, "The debugger's view".
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

// Returns the image of an object whose debug sections are relocated. `address` has the address of
// each section, null if it was not loaded.
[[nodiscard]] std::vector<std::uint8_t> image_for_debugger(
    const ObjectFile& object, const std::vector<std::uint8_t*>& address);

// An attached debugger knows the image as long as this object exists.
class DebuggerImage {
 public:
  explicit DebuggerImage(std::vector<std::uint8_t> image);
  ~DebuggerImage();
  DebuggerImage(const DebuggerImage&) = delete;
  DebuggerImage& operator=(const DebuggerImage&) = delete;

 private:
  struct Entry;
  std::vector<std::uint8_t> image_;
  std::unique_ptr<Entry> entry_;
};

// Replaces a location in thread-local storage in a debug section by the absolute address: turns
// DW_OP_const8u ..., DW_OP_GNU_push_tls_address into DW_OP_addr. `operand` points at the eight
// bytes of the number. The byte before it and the byte behind it must exist. Returns false, without
// a change, for any other location.
[[nodiscard]] bool make_location_absolute(std::uint8_t* operand, std::uint64_t address);

}  // namespace histolab::kernels::emulator
