// A module's object file as a debugger has to see it, and how it learns of it: GDB's JIT interface.
//
// The loader places sections where it likes, so the image says where: each header has its section's address, what was
// relocated needs no relocation any more, and shared memory is memory like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/emulator/object_file.h"

namespace histolab::kernels::emulator {

// Of an object whose debug sections are relocated; `address` of each section, nullptr: not loaded.
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

// In a debug section, of an address that is relative to the thread's storage: makes DW_OP_const8u ..., DW_OP_GNU_push_tls_address
// the absolute address. `operand` points at the eight bytes of the number, with a byte before and one behind it. False: it is something else.
[[nodiscard]] bool make_location_absolute(std::uint8_t* operand, std::uint64_t address);

}  // namespace histolab::kernels::emulator
