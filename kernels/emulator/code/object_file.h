// ObjectFile: a relocatable ELF file for this processor, parsed and checked.
//
// It holds a copy of the file. All sections, symbols and relocations that it returns are within the
// file and refer to existing sections and symbols.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/arch/relocation.h"
#include "reference/result.h"

namespace histolab::kernels::emulator {

struct Section {
  std::string name;
  const std::uint8_t* data = nullptr;  // null if is_zero
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;  // in bytes, a power of two
  bool allocated = false, executable = false, writable = false, is_thread_local = false,
       is_zero = false;
};

// Returns whether the section holds constants. Those with pointers are writable only to relocate
// them.
[[nodiscard]] inline bool is_read_only(const Section& section) {
  return !section.executable && (!section.writable || section.name.starts_with(".data.rel.ro"));
}

struct Symbol {
  std::string name;
  std::uint64_t value = 0, bytes = 0;
  std::uint32_t section = 0;  // 0 if the symbol is undefined or absolute
  bool is_function = false, is_thread_local = false, is_absolute = false;
  bool is_kernel = false;  // marked by __global__
};

class ObjectFile {
 public:
  // Returns an Error if the file is malformed or of another kind.
  static Result<ObjectFile> parse(std::span<const std::uint8_t> file);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] const std::vector<Relocation>& relocations(std::uint32_t section) const {
    return relocations_[section];
  }
  [[nodiscard]] std::span<const std::uint8_t> image() const { return file_; }
  // Returns the section's bytes in the copy, to relocate debug information there.
  [[nodiscard]] std::uint8_t* mutable_data(std::uint32_t section) const {
    return const_cast<std::uint8_t*>(sections_[section].data);
  }

 private:
  std::vector<std::uint8_t> file_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<std::vector<Relocation>> relocations_;  // per section
};

}  // namespace histolab::kernels::emulator
