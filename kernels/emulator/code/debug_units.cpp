#include "kernels/emulator/code/debug_units.h"

#include <libelf.h>

namespace histolab::kernels::emulator {

void for_each_unit(std::span<const std::uint8_t> elf, const std::function<void(Dwarf_Die&)>& f) {
  if (elf_version(EV_CURRENT) == EV_NONE) return;
  // libelf takes a mutable image, but does not write to it.
  Elf* handle =
      elf_memory(const_cast<char*>(reinterpret_cast<const char*>(elf.data())), elf.size());
  if (handle == nullptr) return;
  if (Dwarf* debug = dwarf_begin_elf(handle, DWARF_C_READ, nullptr)) {
    Dwarf_Off offset = 0, next = 0;
    std::size_t header = 0;
    while (dwarf_nextcu(debug, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(debug, offset + header, &unit) != nullptr) f(unit);
      offset = next;
    }
    dwarf_end(debug);
  }
  elf_end(handle);
}

}  // namespace histolab::kernels::emulator
