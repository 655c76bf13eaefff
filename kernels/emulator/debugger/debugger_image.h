// A module's object file as a debugger has to see it, and how it learns of it: GDB's JIT interface.
//
// The loader places sections freely, so the image has their addresses: each header has its
// section's address, relocated words need no relocation any more, and shared memory is memory like
// any other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator {

// For an object whose debug sections are relocated. `address` is that of each section, nullptr if
// it was not loaded.
[[nodiscard]] std::vector<std::uint8_t> image_for_debugger(const ObjectFile& object, const std::vector<std::uint8_t*>& address);

// While it lives, a debugger that is attached knows the image.
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

// Handles an address in a debug section that is relative to the thread's storage: makes
// DW_OP_const8u ..., DW_OP_GNU_push_tls_address the absolute address. `operand` points at the eight
// bytes of the number, with a byte before and one behind it. Returns false for anything else.
[[nodiscard]] bool make_location_absolute(std::uint8_t* operand, std::uint64_t address);

}  // namespace histolab::kernels::emulator
