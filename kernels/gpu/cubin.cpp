#include "kernels/gpu/cubin.h"

#include <gelf.h>
#include <libelf.h>

#include <cstring>
#include <memory>
#include <string_view>

namespace histolab::kernels::gpu {
namespace {

constexpr GElf_Half machine_of_cuda = 190;  // EM_CUDA
constexpr unsigned char is_entry = 0x10;    // STO_CUDA_ENTRY, in a symbol's st_other
constexpr std::string_view initialized = ".nv.global.init", constants = ".nv.constant3";

struct Close {
  void operator()(Elf* elf) const { elf_end(elf); }
};

std::string name_of(Elf* elf, std::size_t table, std::size_t offset) {
  const char* text = elf_strptr(elf, table, offset);
  return text == nullptr ? std::string{} : std::string{text};
}

}  // namespace

Result<Cubin> read_cubin(std::span<const std::uint8_t> bytes) {
  elf_version(EV_CURRENT);
  std::vector<char> copy(bytes.begin(), bytes.end());  // libelf needs writable memory
  const std::unique_ptr<Elf, Close> elf{elf_memory(copy.data(), copy.size())};
  GElf_Ehdr header;
  std::size_t names = 0;
  if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr ||
      header.e_machine != machine_of_cuda || elf_getshdrstrndx(elf.get(), &names) != 0)
    return Error{"the compiled kernel is not GPU code; this is a bug in histolab"};

  Cubin cubin;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr shape;
    if (gelf_getshdr(section, &shape) == nullptr || shape.sh_type != SHT_SYMTAB ||
        shape.sh_entsize == 0)
      continue;
    Elf_Data* table = elf_getdata(section, nullptr);
    const auto count = static_cast<int>(shape.sh_size / shape.sh_entsize);
    for (int i = 0; table != nullptr && i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(table, i, &symbol) == nullptr) continue;
      if (symbol.st_shndx == SHN_UNDEF) {
        cubin.calls_the_driver |= GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
        continue;
      }
      const std::string name = name_of(elf.get(), shape.sh_link, symbol.st_name);
      if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && (symbol.st_other & is_entry) != 0)
        cubin.kernels.push_back(name);
      if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size != sizeof(std::uint32_t))
        continue;
      Elf_Scn* home = elf_getscn(elf.get(), symbol.st_shndx);
      GElf_Shdr where;
      if (home == nullptr || gelf_getshdr(home, &where) == nullptr) continue;
      const std::string place = name_of(elf.get(), names, where.sh_name);
      Elf_Data* data =
          place == initialized || place == constants ? elf_getdata(home, nullptr) : nullptr;
      if (data == nullptr || data->d_buf == nullptr || symbol.st_value > data->d_size ||
          data->d_size - symbol.st_value < symbol.st_size)
        continue;
      std::memcpy(&cubin.words[name], static_cast<const char*>(data->d_buf) + symbol.st_value,
                  sizeof(std::uint32_t));
    }
  }
  return cubin;
}

}  // namespace histolab::kernels::gpu
