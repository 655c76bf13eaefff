#include "kernels/emulator/debugger/debugger_image.h"

#include <dwarf.h>
#include <elf.h>

#include <cstring>
#include <utility>

// ---- GDB's JIT interface: GDB defines names and layout (manual, "JIT Compilation Interface") ----
extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};
struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;
  jit_code_entry *relevant_entry, *first_entry;
};
jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
// GDB sets a breakpoint in it.
[[gnu::noipa]] void __jit_debug_register_code() { asm volatile(""); }
}

namespace histolab::kernels::emulator {
namespace {

enum Action : std::uint32_t { no_action, registered, unregistered };

void announce(Action action, jit_code_entry* entry) {
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_descriptor.relevant_entry = entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action_flag = no_action;
}

// Applies `change` to the structure at `offset`. ObjectFile::parse() has checked that it is within
// the file.
template <class T>
void edit(std::vector<std::uint8_t>& image, std::uint64_t offset, auto&& change) {
  T value;
  std::memcpy(&value, image.data() + offset, sizeof value);
  change(value);
  std::memcpy(image.data() + offset, &value, sizeof value);
}

}  // namespace

struct DebuggerImage::Entry : jit_code_entry {};

std::vector<std::uint8_t> image_for_debugger(const ObjectFile& object,
                                             const std::vector<std::uint8_t*>& address) {
  std::vector<std::uint8_t> image(object.image().begin(), object.image().end());
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  Elf64_Shdr symbols{};
  for (std::size_t i = 0; i < object.sections().size(); ++i)
    edit<Elf64_Shdr>(image, header.e_shoff + i * sizeof(Elf64_Shdr), [&](Elf64_Shdr& section) {
      if (section.sh_type == SHT_SYMTAB) symbols = section;
      if (section.sh_type == SHT_RELA || section.sh_type == SHT_REL || section.sh_type == SHT_GROUP)
        section.sh_type = SHT_NULL;
      section.sh_flags &= ~static_cast<Elf64_Xword>(SHF_GROUP | SHF_TLS);
      section.sh_addr = reinterpret_cast<std::uint64_t>(address[i]);
      if (address[i] == nullptr) section.sh_flags &= ~static_cast<Elf64_Xword>(SHF_ALLOC);
    });
  for (std::uint32_t i = 0; i < object.symbols().size(); ++i)
    edit<Elf64_Sym>(image, symbols.sh_offset + i * sizeof(Elf64_Sym), [&](Elf64_Sym& symbol) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS)
        symbol.st_info =
            static_cast<unsigned char>(ELF64_ST_INFO(ELF64_ST_BIND(symbol.st_info), STT_OBJECT));
    });
  return image;
}

DebuggerImage::DebuggerImage(std::vector<std::uint8_t> image)
    : image_(std::move(image)), entry_(std::make_unique<Entry>()) {
  entry_->symfile_addr = reinterpret_cast<const char*>(image_.data());
  entry_->symfile_size = image_.size();
  entry_->prev_entry = nullptr;
  entry_->next_entry = __jit_debug_descriptor.first_entry;
  if (entry_->next_entry != nullptr) entry_->next_entry->prev_entry = entry_.get();
  __jit_debug_descriptor.first_entry = entry_.get();
  announce(registered, entry_.get());
}

DebuggerImage::~DebuggerImage() {
  if (entry_->prev_entry != nullptr)
    entry_->prev_entry->next_entry = entry_->next_entry;
  else
    __jit_debug_descriptor.first_entry = entry_->next_entry;
  if (entry_->next_entry != nullptr) entry_->next_entry->prev_entry = entry_->prev_entry;
  announce(unregistered, entry_.get());
}

bool make_location_absolute(std::uint8_t* operand, std::uint64_t address) {
  if (operand[-1] != DW_OP_const8u ||
      (operand[8] != DW_OP_GNU_push_tls_address && operand[8] != DW_OP_form_tls_address))
    return false;
  operand[-1] = DW_OP_addr;
  std::memcpy(operand, &address, sizeof address);
  operand[8] = DW_OP_nop;
  return true;
}

}  // namespace histolab::kernels::emulator
