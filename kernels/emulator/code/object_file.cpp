#include "kernels/emulator/code/object_file.h"

#include <elf.h>

#include <cstring>

namespace histolab::kernels::emulator {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> file) : file_(file) {}
  template <class T>
  bool read(std::uint64_t offset, T& value) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return false;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return true;
  }
  [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= file_.size() && bytes <= file_.size() - offset;
  }
  // Returns the zero-terminated string at offset `at` of a string table. Returns an empty string if
  // it is outside of the table or the file.
  [[nodiscard]] std::string text(const Elf64_Shdr& table, std::uint64_t at) const {
    if (at >= table.sh_size || !holds(table.sh_offset, table.sh_size)) return {};
    const char* begin = reinterpret_cast<const char*>(file_.data() + table.sh_offset + at);
    return {begin, strnlen(begin, table.sh_size - at)};
  }

 private:
  std::span<const std::uint8_t> file_;
};

const Error malformed{"the compiler's output is not an object file that can be loaded"};

}  // namespace

Result<ObjectFile> ObjectFile::parse(std::span<const std::uint8_t> bytes) {
  ObjectFile object;
  object.file_.assign(bytes.begin(), bytes.end());
  const Reader reader(object.file_);
  Elf64_Ehdr header;
  if (!reader.read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_REL ||
      !is_for_this_processor(header.e_machine))
    return malformed;
  std::vector<Elf64_Shdr> headers(header.e_shnum);
  for (std::size_t i = 0; i < headers.size(); ++i)
    if (!reader.read(header.e_shoff + i * sizeof(Elf64_Shdr), headers[i])) return malformed;
  if (header.e_shstrndx >= headers.size()) return malformed;

  std::size_t symbol_table = 0;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Elf64_Shdr& h = headers[i];
    Section section;
    section.name = reader.text(headers[header.e_shstrndx], h.sh_name);
    section.is_zero = h.sh_type == SHT_NOBITS;
    section.bytes = h.sh_size;
    section.alignment = h.sh_addralign == 0 ? 1 : h.sh_addralign;
    section.allocated = (h.sh_flags & SHF_ALLOC) != 0 && h.sh_type != SHT_NOTE;
    section.writable = (h.sh_flags & SHF_WRITE) != 0;
    section.executable = (h.sh_flags & SHF_EXECINSTR) != 0;
    section.is_thread_local = (h.sh_flags & SHF_TLS) != 0;
    if (h.sh_type == SHT_NULL)
      section = {};  // its other fields have no meaning
    else if (!section.is_zero) {
      if (!reader.holds(h.sh_offset, h.sh_size)) return malformed;
      section.data = object.file_.data() + h.sh_offset;
    }
    if ((section.alignment & (section.alignment - 1)) != 0 || section.alignment > 65536)
      return malformed;
    if (h.sh_type == SHT_SYMTAB) symbol_table = i;
    object.sections_.push_back(std::move(section));
  }
  if (symbol_table == 0 || headers[symbol_table].sh_link >= headers.size()) return malformed;

  const Elf64_Shdr& symbols = headers[symbol_table];
  for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
    Elf64_Sym raw;
    if (!reader.read(symbols.sh_offset + at, raw)) return malformed;
    Symbol symbol;
    symbol.name = reader.text(headers[symbols.sh_link], raw.st_name);
    symbol.value = raw.st_value;
    symbol.bytes = raw.st_size;
    symbol.is_absolute = raw.st_shndx == SHN_ABS;
    const int type = ELF64_ST_TYPE(raw.st_info);
    symbol.is_function = type == STT_FUNC;
    symbol.is_thread_local = type == STT_TLS;
    symbol.is_kernel = ELF64_ST_VISIBILITY(raw.st_other) == STV_PROTECTED;
    if (type == STT_GNU_IFUNC) return malformed;
    if (raw.st_shndx < SHN_LORESERVE) {
      if (raw.st_shndx >= headers.size()) return malformed;
      symbol.section = raw.st_shndx;
      if (symbol.section != 0 && symbol.value > object.sections_[symbol.section].bytes)
        return malformed;
    } else if (!symbol.is_absolute) {
      return malformed;  // common or extended: the compiler's flags prevent both
    }
    object.symbols_.push_back(std::move(symbol));
  }

  object.relocations_.resize(headers.size());
  for (const Elf64_Shdr& h : headers) {
    if (h.sh_type == SHT_REL) return malformed;
    if (h.sh_type != SHT_RELA) continue;
    if (h.sh_info >= headers.size()) return malformed;
    const Section& target = object.sections_[h.sh_info];
    for (std::uint64_t at = 0; at + sizeof(Elf64_Rela) <= h.sh_size; at += sizeof(Elf64_Rela)) {
      Elf64_Rela raw;
      if (!reader.read(h.sh_offset + at, raw)) return malformed;
      const auto symbol = static_cast<std::uint32_t>(ELF64_R_SYM(raw.r_info));
      if (symbol >= object.symbols_.size() || raw.r_offset >= target.bytes || target.is_zero)
        return malformed;
      object.relocations_[h.sh_info].push_back(
          {raw.r_offset, static_cast<std::uint32_t>(ELF64_R_TYPE(raw.r_info)), symbol,
           raw.r_addend});
    }
  }
  return object;
}

}  // namespace histolab::kernels::emulator
