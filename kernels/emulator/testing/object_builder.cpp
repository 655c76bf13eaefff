#include "kernels/emulator/testing/object_builder.h"

#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>

namespace histolab::kernels::emulator::testing {
namespace {

using Bytes = ObjectBuilder::Bytes;

constexpr std::uint64_t in_memory = SHF_ALLOC;

// Appends the bytes at a multiple of 8, and returns their offset.
std::uint64_t append(Bytes& file, const void* data, std::size_t bytes) {
  file.resize((file.size() + 7) / 8 * 8);
  const std::size_t at = file.size();
  const auto* const begin = static_cast<const std::uint8_t*>(data);
  file.insert(file.end(), begin, begin + bytes);
  return at;
}

// A string table. Returns the offset of a name in it.
class Names {
 public:
  std::uint32_t add(const std::string& name) {
    const auto at = static_cast<std::uint32_t>(text_.size());
    text_ += name;
    text_ += '\0';
    return at;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_ = std::string(1, '\0');
};

}  // namespace

std::uint32_t ObjectBuilder::add_section(SectionData section) {
  sections_.push_back(std::move(section));
  return static_cast<std::uint32_t>(sections_.size());  // number 0 means: none
}
std::uint32_t ObjectBuilder::add_symbol(SymbolData symbol) {
  symbols_.push_back(std::move(symbol));
  return static_cast<std::uint32_t>(symbols_.size());  // number 0 means: none
}

std::uint32_t ObjectBuilder::code(const std::string& name, Bytes bytes) {
  const std::size_t size = bytes.size();
  return add_section({name, SHT_PROGBITS, in_memory | SHF_EXECINSTR, std::move(bytes), size, 1});
}
std::uint32_t ObjectBuilder::constants(const std::string& name, Bytes bytes) {
  const std::size_t size = bytes.size();
  return add_section({name, SHT_PROGBITS, in_memory, std::move(bytes), size, 4});
}
std::uint32_t ObjectBuilder::variables(const std::string& name, Bytes bytes) {
  const std::size_t size = bytes.size();
  return add_section({name, SHT_PROGBITS, in_memory | SHF_WRITE, std::move(bytes), size, 4});
}
std::uint32_t ObjectBuilder::zeroed(const std::string& name, std::uint64_t bytes) {
  return add_section({name, SHT_NOBITS, in_memory | SHF_WRITE, {}, bytes, 4});
}
std::uint32_t ObjectBuilder::shared(const std::string& name, std::uint64_t bytes,
                                    std::uint64_t alignment) {
  return add_section({name, SHT_NOBITS, in_memory | SHF_WRITE | SHF_TLS, {}, bytes, alignment});
}
std::uint32_t ObjectBuilder::initialized_shared(const std::string& name, Bytes bytes) {
  const std::size_t size = bytes.size();
  return add_section(
      {name, SHT_PROGBITS, in_memory | SHF_WRITE | SHF_TLS, std::move(bytes), size, 4});
}
std::uint32_t ObjectBuilder::debug(const std::string& name, Bytes bytes) {
  const std::size_t size = bytes.size();
  return add_section({name, SHT_PROGBITS, 0, std::move(bytes), size, 1});
}

std::uint32_t ObjectBuilder::kernel(const std::string& name, std::uint32_t section) {
  return add_symbol({name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), STV_PROTECTED, section, 0,
                     sections_[section - 1].size});
}
std::uint32_t ObjectBuilder::function(const std::string& name, std::uint32_t section,
                                      std::uint64_t value) {
  return add_symbol({name, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), STV_DEFAULT, section, value,
                     sections_[section - 1].size - value});
}
std::uint32_t ObjectBuilder::variable(const std::string& name, std::uint32_t section,
                                      std::uint64_t value, std::uint64_t bytes) {
  const bool is_shared = (sections_[section - 1].flags & SHF_TLS) != 0;
  const int type = is_shared ? STT_TLS : STT_OBJECT;
  return add_symbol({name, static_cast<std::uint8_t>(ELF64_ST_INFO(STB_GLOBAL, type)), STV_DEFAULT,
                     section, value, bytes});
}
std::uint32_t ObjectBuilder::undefined(const std::string& name) {
  return add_symbol({name, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), STV_DEFAULT, 0, 0, 0});
}
std::uint32_t ObjectBuilder::undefined_shared(const std::string& name) {
  return add_symbol({name, ELF64_ST_INFO(STB_GLOBAL, STT_TLS), STV_DEFAULT, 0, 0, 0});
}

void ObjectBuilder::relocate(std::uint32_t section, std::uint64_t offset, std::uint32_t type,
                             std::uint32_t symbol, std::int64_t addend) {
  relocations_.push_back({section, {offset, type, symbol, addend}});
}

ObjectFile ObjectBuilder::build() const {
  Bytes file(sizeof(Elf64_Ehdr));
  Names names;
  std::vector<Elf64_Shdr> headers(1);
  const auto header = [&](const std::string& name, std::uint32_t type, std::uint64_t flags,
                          std::uint64_t offset, std::uint64_t size) -> Elf64_Shdr& {
    Elf64_Shdr made{};
    made.sh_name = names.add(name);
    made.sh_type = type;
    made.sh_flags = flags;
    made.sh_offset = offset;
    made.sh_size = size;
    return headers.emplace_back(made);
  };
  for (const SectionData& section : sections_)
    header(section.name, section.type, section.flags,
           append(file, section.bytes.data(), section.bytes.size()), section.size)
        .sh_addralign = section.alignment;
  for (std::uint32_t of = 1; of <= sections_.size(); ++of) {
    std::vector<Elf64_Rela> entries;
    for (const auto& [section, relocation] : relocations_)
      if (section == of)
        entries.push_back({relocation.offset, ELF64_R_INFO(relocation.symbol, relocation.type),
                           relocation.addend});
    if (entries.empty()) continue;
    const std::size_t bytes = entries.size() * sizeof(Elf64_Rela);
    header(".rela", SHT_RELA, 0, append(file, entries.data(), bytes), bytes).sh_info = of;
  }
  Names symbol_names;
  std::vector<Elf64_Sym> symbols(1);
  for (const SymbolData& symbol : symbols_)
    symbols.push_back({symbol_names.add(symbol.name), symbol.info, symbol.other,
                       static_cast<Elf64_Section>(symbol.section), symbol.value, symbol.bytes});
  const std::size_t bytes = symbols.size() * sizeof(Elf64_Sym);
  header(".symtab", SHT_SYMTAB, 0, append(file, symbols.data(), bytes), bytes).sh_link =
      static_cast<std::uint32_t>(headers.size() + 1);
  const std::string& text = symbol_names.text();
  header(".strtab", SHT_STRTAB, 0, append(file, text.data(), text.size()), text.size());
  Elf64_Shdr& of_names = header(".shstrtab", SHT_STRTAB, 0, 0, 0);
  of_names.sh_size = names.text().size();
  of_names.sh_offset = append(file, names.text().data(), names.text().size());
  Elf64_Ehdr elf{};
  std::memcpy(elf.e_ident, ELFMAG, SELFMAG);
  elf.e_ident[EI_CLASS] = ELFCLASS64;
  elf.e_type = ET_REL;
  elf.e_machine = EM_X86_64;
  elf.e_shnum = static_cast<Elf64_Half>(headers.size());
  elf.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  elf.e_shoff = append(file, headers.data(), headers.size() * sizeof(Elf64_Shdr));
  std::memcpy(file.data(), &elf, sizeof elf);
  Result<ObjectFile> object = ObjectFile::parse(file);
  REQUIRE_MESSAGE(object.ok(), (object.ok() ? "" : object.error().message));
  return std::move(object).value();
}

}  // namespace histolab::kernels::emulator::testing
