// ObjectFile: an x86-64 relocatable ELF file, parsed and checked.
//
// Holds a copy of the file. Every section, symbol and relocation that it hands out is within the
// file and refers to sections and symbols that exist; parse() returns an Error for anything else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::kernels::emulator {

struct Section {
  std::string name;
  const std::uint8_t* data = nullptr;  // nullptr when is_zero
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 1;
  bool allocated = false, executable = false, writable = false, is_thread_local = false, is_zero = false;
};

// Constants, and the pointers among them.
[[nodiscard]] inline bool is_read_only(const Section& section) { return !section.executable && (!section.writable || section.name.starts_with(".data.rel.ro")); }

struct Symbol {
  std::string name;
  std::uint64_t value = 0, bytes = 0;
  std::uint32_t section = 0;  // 0: undefined, or absolute
  bool is_function = false, is_thread_local = false, is_absolute = false;
  bool is_kernel = false;     // marked by __global__
};

struct Relocation {
  std::uint64_t offset = 0;
  std::uint32_t type = 0, symbol = 0;
  std::int64_t addend = 0;
};

class ObjectFile {
 public:
  static Result<ObjectFile> parse(std::span<const std::uint8_t> file);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  [[nodiscard]] const std::vector<Relocation>& relocations(std::uint32_t section) const { return relocations_[section]; }
  [[nodiscard]] std::span<const std::uint8_t> image() const { return file_; }
  // The section's bytes inside the copy, for relocating what is read there (debug information).
  [[nodiscard]] std::uint8_t* mutable_data(std::uint32_t section) const { return const_cast<std::uint8_t*>(sections_[section].data); }

 private:
  std::vector<std::uint8_t> file_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::vector<std::vector<Relocation>> relocations_;  // of each section
};

}  // namespace histolab::kernels::emulator
