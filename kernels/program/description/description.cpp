#include "kernels/program/description/description.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "kernels/emulator/code/debug_info.h"
#include "kernels/emulator/code/object_file.h"
#include "kernels/emulator/code/runtime_functions.h"
#include "kernels/emulator/memory/source_line.h"
#include "kernels/emulator/module/kernel_facts.h"
#include "kernels/emulator/module/kernel_parts.h"
#include "kernels/emulator/module/variable_sections.h"
#include "kernels/kernel_name.h"
#include "kernels/program/device_section.h"
#include "kernels/program/memory_layout.h"

namespace histolab::kernels::program {
namespace {

using emulator::ObjectFile;
using emulator::Symbol;
using Bytes = std::span<const std::uint8_t>;

// Size limit of a section with variables that no kernel uses.
constexpr std::uint64_t most_unused_bytes = 1 << 20;
constexpr const char* managed_section = "histolab_managed";
constexpr const char* kernels_section = "__patchable_function_entries";  // of their addresses
// Facts about a kernel's host function.
constexpr std::uint8_t nop = 0x90;
constexpr std::uint64_t entry_nops = 32;

// The parts of the executable that a description needs.
struct Executable {
  Bytes file;
  ByteRange device, managed, text;  // in the file; addresses for the last two
  std::unordered_map<std::string, std::vector<std::uint64_t>> symbols;  // addresses
  std::set<std::uint64_t> kernels;  // addresses of host functions that represent kernels
  std::map<std::uint64_t, std::vector<emulator::FunctionParameter>> parameters;  // of kernels

  // Returns the bytes from an address in a section with code to its end.
  [[nodiscard]] Bytes code_at(std::uint64_t address) const {
    for (const Elf64_Shdr& section : code)
      if (address - section.sh_addr < section.sh_size && section.sh_offset <= file.size() &&
          section.sh_size <= file.size() - section.sh_offset)
        return file.subspan(section.sh_offset, section.sh_size).subspan(address - section.sh_addr);
    return {};
  }
  std::vector<Elf64_Shdr> code;
};

template <class T>
bool read(Bytes file, std::uint64_t offset, T& value) {
  if (offset > file.size() || file.size() - offset < sizeof value) return false;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return true;
}

std::string text_at(Bytes file, const Elf64_Shdr& table, std::uint64_t at) {
  if (at >= table.sh_size || table.sh_offset > file.size() ||
      table.sh_size > file.size() - table.sh_offset)
    return {};
  const char* const begin = reinterpret_cast<const char*>(file.data() + table.sh_offset + at);
  return {begin, strnlen(begin, table.sh_size - at)};
}

Result<Executable> read_executable(Bytes file) {
  const Error malformed{"the file is not a program that histolab can run"};
  Elf64_Ehdr header;
  if (!read(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN)
    return malformed;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  for (std::size_t i = 0; i < sections.size(); ++i)
    if (!read(file, header.e_shoff + i * sizeof(Elf64_Shdr), sections[i])) return malformed;
  if (header.e_shstrndx >= sections.size()) return malformed;
  Executable found{file, {}, {}, {}, {}, {}, {}, {}};
  ByteRange kernels;
  for (const Elf64_Shdr& section : sections) {
    const std::string name = text_at(file, sections[header.e_shstrndx], section.sh_name);
    if (name == device_section && section.sh_offset <= file.size() &&
        section.sh_size <= file.size() - section.sh_offset)
      found.device = {section.sh_offset, section.sh_size};
    if (name == kernels_section) kernels = {section.sh_addr, section.sh_size};
    if (name == managed_section) found.managed = {section.sh_addr, section.sh_size};
    if ((section.sh_flags & SHF_EXECINSTR) != 0) found.code.push_back(section);
    if (name == ".text" && section.sh_size <= file.size())
      found.text = {section.sh_addr, section.sh_size};
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    Elf64_Sym symbol;
    for (std::uint64_t at = 0; at + sizeof symbol <= section.sh_size; at += sizeof symbol) {
      if (!read(file, section.sh_offset + at, symbol)) return malformed;
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE ||
          (type != STT_FUNC && type != STT_OBJECT))
        continue;
      found.symbols[text_at(file, sections[section.sh_link], symbol.st_name)].push_back(
          symbol.st_value);
    }
  }
  if (kernels.bytes > 0 && (found.symbols.empty() || found.device.bytes == 0))
    return malformed;  // it was stripped
  // The dynamic linker fills in the addresses.
  for (const Elf64_Shdr& section : sections) {
    Elf64_Rela relocation;
    if (section.sh_type != SHT_RELA) continue;
    for (std::uint64_t at = 0; at + sizeof relocation <= section.sh_size; at += sizeof relocation) {
      if (!read(file, section.sh_offset + at, relocation)) return malformed;
      if (relocation.r_offset - kernels.offset < kernels.bytes)
        found.kernels.insert(static_cast<std::uint64_t>(relocation.r_addend));
    }
  }
  found.parameters = emulator::function_parameters(file, found.kernels);
  return found;
}

std::uint64_t static_shared_bytes(const ObjectFile& object, const std::vector<bool>& reached) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const emulator::Section& section = object.sections()[i];
    if (!reached[i] || !section.is_thread_local) continue;
    end = (end + section.alignment - 1) / section.alignment * section.alignment;
    end += std::min<std::uint64_t>(section.bytes, 1u << 30);
  }
  return end;
}

bool calls_grid_sync(const ObjectFile& object, const std::vector<bool>& reached) {
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) continue;
    for (const auto& relocation : object.relocations(i))
      if (object.symbols()[relocation.symbol].name == emulator::grid_barrier_symbol) return true;
  }
  return false;
}

// Length of an operator's name at `at`, or 0: "operator<", "operator>>", "operator->".
std::size_t operator_at(std::string_view text, std::size_t at) {
  constexpr std::string_view word = "operator";
  if (text.substr(at, word.size()) != word) return 0;
  const std::size_t end = text.find_first_not_of("<>=-", at + word.size());
  return end == at + word.size() ? 0 : std::min(end, text.size()) - at;
}

// "void space::add<float>(float*)" -> "add<float>". "(anonymous namespace)::add(int)" -> "add".
std::string short_name(const std::string& demangled) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  constexpr std::size_t most = 100;  // for people
  std::size_t begin = 0, end = 0;
  for (int depth = 0; end < demangled.size(); ++end) {  // of < and, in template arguments, of (
    const char c = demangled[end];
    if (const std::size_t length = operator_at(demangled, end); length > 0)
      end += length - 1;
    else if (depth == 0 && demangled.compare(end, anonymous.size(), anonymous) == 0)
      begin = end + anonymous.size(), end = begin - 1;
    else if (c == '<' || (c == '(' && depth > 0))
      ++depth;
    else if (c == '>' || (c == ')' && depth > 0))
      --depth;
    else if (c == '(')
      break;
    else if (depth == 0 && (c == ' ' || c == ':'))
      begin = end + 1;
  }
  const std::string name = demangled.substr(begin, end - begin);
  return name.size() <= most ? name : name.substr(0, most) + "...";
}

// The host's function begins with more nops if the kernel has __launch_bounds__ (host_pass.h).
std::uint32_t launch_bounds(Bytes function) {
  const auto nops = std::ranges::find_if(function, [](std::uint8_t byte) { return byte != nop; });
  const auto count = static_cast<std::uint64_t>(nops - function.begin());
  return count <= entry_nops ? 0 : static_cast<std::uint32_t>(count - entry_nops);
}

// `address`: of the host's function.
KernelFacts facts_of(const ObjectFile& object, const Symbol& kernel, const Executable& executable,
                     std::uint64_t address) {
  const std::vector<bool> reached = emulator::reachable_sections(object, {kernel.section});
  const std::uint32_t bounds = launch_bounds(executable.code_at(address));
  const auto parameters = executable.parameters.find(address);
  return {.name = short_name(demangle(kernel.name)),
          .static_shared_bytes = static_shared_bytes(object, reached),
          .max_threads_per_block =
              bounds > 0 ? bounds : emulator::launch_bounds(object, kernel.section),
          .calls_grid_sync = calls_grid_sync(object, reached),
          .parameters = parameters == executable.parameters.end()
                            ? std::vector<KernelParameter>{}
                            : parameters_with_places(parameters->second)};
}

const std::vector<std::uint64_t>& addresses_of(const Executable& executable,
                                               const std::string& symbol) {
  static const std::vector<std::uint64_t> none;
  const auto found = executable.symbols.find(symbol);
  return found == executable.symbols.end() ? none : found->second;
}

void add_kernels(const Executable& executable, const std::vector<ObjectFile>& objects,
                 ProgramDescription& description) {
  struct Definition {
    std::uint32_t object = 0;
    const Symbol* symbol = nullptr;
  };
  std::map<std::string, std::vector<Definition>> definitions;  // of kernels, in the link's order
  for (std::uint32_t number = 0; number < objects.size(); ++number)
    for (const Symbol& symbol : objects[number].symbols())
      if (symbol.is_function && symbol.section != 0 &&
          std::ranges::any_of(addresses_of(executable, symbol.name), [&](std::uint64_t each) {
            return executable.kernels.contains(each);
          }))
        definitions[symbol.name].push_back({number, &symbol});
  for (const auto& [symbol, defined] : definitions) {
    std::vector<std::uint64_t> addresses = addresses_of(executable, symbol);
    std::erase_if(addresses,
                  [&](std::uint64_t each) { return !executable.kernels.contains(each); });
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      // The linker keeps the order of static kernels, and one function for equal templates.
      const Definition& own = defined[defined.size() == addresses.size() ? i : 0];
      description.kernels.push_back(
          {symbol, addresses[i], own.object,
           facts_of(objects[own.object], *own.symbol, executable, addresses[i])});
    }
  }
}

Status add_variables(const Executable& executable, Bytes object, std::uint32_t number,
                     std::uint64_t object_at, ProgramDescription& description) {
  for (emulator::VariableSection& section : TRY(emulator::variable_sections(object))) {
    // Most of the other ones are variables of the host.
    const bool may_be_host = !section.is_used && !section.is_constant;
    if (may_be_host && section.bytes > most_unused_bytes) continue;
    DescribedSection& made = description.sections.emplace_back();
    made.object = number;
    made.bytes = section.bytes;
    made.alignment = section.alignment;
    made.may_be_host = may_be_host;
    if (!section.contents.empty())
      made.contents = {object_at + section.contents_at, section.contents.size()};
    for (const auto& variable : section.variables)
      made.variables.push_back({variable.symbol, variable.name, variable.offset, variable.bytes,
                                addresses_of(executable, variable.symbol)});
  }
  return Done{};
}

void add_lines(const Executable& executable, std::span<const std::string> library_folders,
               ProgramDescription& description) {
  const emulator::SourcePlaces places = emulator::source_places(
      executable.file, executable.text.offset, executable.text.bytes, library_folders);
  description.files = places.files;
  int last = 0;
  for (std::size_t at = 0; at < places.of.size(); ++at) {
    const int line = places.of[at].line;
    if (std::exchange(last, line) == line) continue;
    description.lines.push_back({executable.text.offset + at,
                                 static_cast<std::uint32_t>(emulator::file_of_line(line)),
                                 static_cast<std::uint32_t>(emulator::line_in_file(line))});
  }
}

bool is_within(const ByteRange& range, std::uint64_t bytes) {
  return range.offset <= bytes && range.bytes <= bytes - range.offset;
}

bool is_valid(const KernelFacts& facts) {
  return std::ranges::all_of(facts.parameters, [&](const KernelParameter& parameter) {
    return std::ranges::all_of(parameter.places, [&](const ArgumentPlace& place) {
      using Where = ArgumentPlace::Where;
      const std::uint32_t most = place.where == Where::integer  ? 6
                                 : place.where == Where::vector ? 8
                                                                : 448 - 7;
      return place.index < most && place.bytes <= 8 && place.argument < facts.parameters.size();
    });
  });
}

bool is_valid(const DescribedSection& section, std::size_t objects, std::uint64_t file_bytes) {
  return section.object < objects && section.bytes <= program_memory_bytes &&
         section.alignment > 0 && section.alignment <= 65536 &&
         (section.alignment & (section.alignment - 1)) == 0 &&
         is_within(section.contents, file_bytes) && section.contents.bytes <= section.bytes &&
         std::ranges::all_of(section.variables, [&](const DescribedVariable& variable) {
           return is_within({variable.offset, variable.bytes}, section.bytes);
         });
}

}  // namespace

SourceLine ProgramDescription::line_of(std::uint64_t return_address) const {
  const auto after =
      std::ranges::upper_bound(lines, return_address - 1, {}, &DescribedLine::address);
  if (after == lines.begin() || std::prev(after)->file == 0) return {};
  const DescribedLine& line = *std::prev(after);
  return {files[line.file - 1], static_cast<int>(line.line)};
}

Result<ProgramDescription> describe_program(Bytes file,
                                            std::span<const std::string> library_folders) {
  const Executable executable = TRY(read_executable(file));
  const auto objects =
      device_objects(file.subspan(executable.device.offset, executable.device.bytes));
  if (!objects) return Error{"the program's device code is malformed; build the program again"};
  ProgramDescription description;
  std::vector<ObjectFile> parsed;
  for (const Bytes& bytes : *objects) {
    const auto number = static_cast<std::uint32_t>(description.objects.size());
    const auto at = static_cast<std::uint64_t>(bytes.data() - file.data());
    description.objects.push_back({at, bytes.size()});
    parsed.push_back(TRY(ObjectFile::parse(bytes)));
    TRY(add_variables(executable, bytes, number, at, description));
  }
  add_kernels(executable, parsed, description);
  description.managed = executable.managed;
  add_lines(executable, library_folders, description);
  return description;
}

bool check_description(const ProgramDescription& description, std::uint64_t executable_bytes) {
  const std::size_t objects = description.objects.size();
  return std::ranges::all_of(
             description.objects,
             [&](const ByteRange& each) { return is_within(each, executable_bytes); }) &&
         std::ranges::all_of(description.kernels,
                             [&](const DescribedKernel& each) {
                               return is_valid(each.facts) && each.object < objects;
                             }) &&
         std::ranges::all_of(description.sections,
                             [&](const DescribedSection& each) {
                               return is_valid(each, objects, executable_bytes);
                             }) &&
         description.managed.bytes <= most_variables_end &&
         description.managed.offset <= executable_bytes + most_variables_end &&
         std::ranges::is_sorted(description.lines, {}, &DescribedLine::address) &&
         std::ranges::all_of(description.lines, [&](const DescribedLine& each) {
           return each.file <= description.files.size();
         });
}

}  // namespace histolab::kernels::program
