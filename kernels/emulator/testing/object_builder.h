// ObjectBuilder: makes small object files for tests of the loader, without a compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/code/object_file.h"

namespace histolab::kernels::emulator::testing {

class ObjectBuilder {
 public:
  using Bytes = std::vector<std::uint8_t>;

  // Each adds a section and returns its number.
  std::uint32_t code(const std::string& name, Bytes bytes);
  std::uint32_t constants(const std::string& name, Bytes bytes);
  std::uint32_t variables(const std::string& name, Bytes bytes);
  std::uint32_t zeroed(const std::string& name, std::uint64_t bytes);
  std::uint32_t shared(const std::string& name, std::uint64_t bytes, std::uint64_t alignment = 4);
  std::uint32_t initialized_shared(const std::string& name, Bytes bytes);
  std::uint32_t debug(const std::string& name, Bytes bytes);  // not in the program's memory

  // Each adds a symbol and returns its number.
  std::uint32_t kernel(const std::string& name, std::uint32_t section);
  std::uint32_t function(const std::string& name, std::uint32_t section, std::uint64_t value = 0);
  std::uint32_t variable(const std::string& name, std::uint32_t section, std::uint64_t value,
                         std::uint64_t bytes);
  std::uint32_t undefined(const std::string& name);
  std::uint32_t undefined_shared(const std::string& name);

  // `type`: R_X86_64_...
  void relocate(std::uint32_t section, std::uint64_t offset, std::uint32_t type,
                std::uint32_t symbol, std::int64_t addend = 0);

  // Returns the file, parsed.
  [[nodiscard]] ObjectFile build() const;

 private:
  struct SectionData {
    std::string name;
    std::uint32_t type;
    std::uint64_t flags;
    Bytes bytes;
    std::uint64_t size, alignment;
  };
  struct SymbolData {
    std::string name;
    std::uint8_t info, other;
    std::uint32_t section;
    std::uint64_t value, bytes;
  };
  struct RelocationData {
    std::uint32_t section;
    Relocation relocation;
  };
  std::uint32_t add_section(SectionData section);
  std::uint32_t add_symbol(SymbolData symbol);

  std::vector<SectionData> sections_;
  std::vector<SymbolData> symbols_;
  std::vector<RelocationData> relocations_;
};

}  // namespace histolab::kernels::emulator::testing
