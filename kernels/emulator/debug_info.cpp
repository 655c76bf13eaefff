#include "kernels/emulator/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

namespace histolab::kernels::emulator {
namespace {

// The compiled file is the line table's primary source; anything else it names was included.
bool is_students(const char* file, const char* primary) {
  return file != nullptr && primary != nullptr && std::string_view(file).ends_with(primary);
}

void read_unit(Dwarf_Die& unit, std::uint64_t text, std::vector<int>& lines) {
  Dwarf_Lines* table = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit, &table, &count) != 0) return;
  const char* primary = dwarf_diename(&unit);
  struct Row {
    std::uint64_t address;
    int line;
    bool ends;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* entry = dwarf_onesrcline(table, i);
    Dwarf_Addr address = 0;
    int line = 0;
    bool ends = false;
    if (dwarf_lineaddr(entry, &address) != 0 || dwarf_lineno(entry, &line) != 0 || dwarf_lineendsequence(entry, &ends) != 0) continue;
    const bool students = is_students(dwarf_linesrc(entry, nullptr, nullptr), primary);
    rows.push_back({address, students ? line : -1, ends});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.address < b.address; });
  int current = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    current = rows[i].ends ? 0 : rows[i].line > 0 ? rows[i].line : current;
    const std::uint64_t begin = rows[i].address - text;
    const std::uint64_t end = i + 1 < rows.size() ? rows[i + 1].address - text : begin;
    if (begin >= lines.size() || end > lines.size()) continue;
    std::fill(lines.begin() + static_cast<std::ptrdiff_t>(begin), lines.begin() + static_cast<std::ptrdiff_t>(std::max(begin, end)), current);
  }
}

// Calls `f` with each compilation unit.
void for_each_unit(std::span<const std::uint8_t> elf, const std::function<void(Dwarf_Die&)>& f) {
  if (elf_version(EV_CURRENT) == EV_NONE) return;
  // libelf wants a mutable image; it does not write to it.
  Elf* handle = elf_memory(const_cast<char*>(reinterpret_cast<const char*>(elf.data())), elf.size());
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

// A debugging entry's function, when it is one of the student's with a name of its own (no lambda, no operator).
std::optional<UsedName> student_function(Dwarf_Die& die, const char* primary) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&die, DW_AT_artificial, &attribute) != nullptr) return std::nullopt;
  const char* name = dwarf_diename(&die);
  int line = 0;
  if (name == nullptr || !is_students(dwarf_decl_file(&die), primary) || dwarf_decl_line(&die, &line) != 0) return std::nullopt;
  std::string_view plain = name;
  plain = plain.substr(0, plain.find('<'));  // of a template, without its arguments
  if (plain.empty() || plain.starts_with("operator")) return std::nullopt;
  return UsedName{std::string(plain), line, 0};
}

class FunctionWalk {
 public:
  FunctionWalk(const char* primary, std::uint64_t text, std::uint64_t text_bytes, std::vector<UsedName>& found)
      : primary_(primary), text_(text), text_bytes_(text_bytes), found_(found) {}

  void visit_children(Dwarf_Die& parent, bool loaded) {
    Dwarf_Die die;
    if (dwarf_child(&parent, &die) != 0) return;
    do visit(die, loaded);
    while (dwarf_siblingof(&die, &die) == 0);
  }

 private:
  void visit(Dwarf_Die& die, bool loaded) {
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram) {
      Dwarf_Addr begin = 0;
      const bool here = dwarf_lowpc(&die, &begin) == 0 && begin - text_ < text_bytes_;
      if (here) note(die, 0);
      return visit_children(die, here);
    }
    if (tag == DW_TAG_inlined_subroutine && loaded) {
      Dwarf_Attribute attribute;
      Dwarf_Word line = 0;
      if (dwarf_attr(&die, DW_AT_call_line, &attribute) != nullptr) dwarf_formudata(&attribute, &line);
      note(die, static_cast<int>(line));
    }
    visit_children(die, loaded);
  }

  void note(Dwarf_Die& die, int used) {
    std::optional<UsedName> function = student_function(die, primary_);
    if (!function) return;
    function->used = used;
    const auto known = std::find_if(found_.begin(), found_.end(), [&](const UsedName& f) { return f.name == function->name && f.declared == function->declared; });
    if (known == found_.end()) found_.push_back(std::move(*function));
    else if (known->used == 0 || (used != 0 && used < known->used)) known->used = used;
  }

  const char* primary_;
  std::uint64_t text_, text_bytes_;
  std::vector<UsedName>& found_;
};

}  // namespace

std::vector<int> source_lines(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes) {
  std::vector<int> lines(text_bytes, 0);
  bool any = false;
  for_each_unit(elf, [&](Dwarf_Die& unit) { any = true, read_unit(unit, text, lines); });
  return any ? lines : std::vector<int>();
}

std::vector<UsedName> used_functions(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes) {
  std::vector<UsedName> found;
  for_each_unit(elf, [&](Dwarf_Die& unit) { FunctionWalk(dwarf_diename(&unit), text, text_bytes, found).visit_children(unit, false); });
  return found;
}

}  // namespace histolab::kernels::emulator
