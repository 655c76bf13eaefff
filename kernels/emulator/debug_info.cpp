#include "kernels/emulator/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace histolab::kernels::emulator {
namespace {

// The compiled file is the line table's primary source; anything else it names was included.
bool is_students(const char* file, const char* primary) {
  return file != nullptr && primary != nullptr && std::string_view(file).ends_with(primary);
}

// The lines from which the student's file calls what was inlined there from a header.
class CallLines {
 public:
  CallLines(Dwarf_Die& unit, const char* primary, std::uint64_t text, std::size_t text_bytes) : primary_(primary), text_(text), lines_(text_bytes, 0) {
    if (dwarf_getsrcfiles(&unit, &files_, &file_count_) == 0) visit_children(unit, 0);
  }
  // 0: the instruction was inlined from nowhere.
  [[nodiscard]] int at(std::uint64_t offset) const { return lines_[offset]; }

 private:
  static constexpr int max_depth = 200;
  static constexpr int max_entries = 200'000;  // of a file that leads in circles

  void visit_children(Dwarf_Die& parent, int depth) {
    Dwarf_Die entry;
    if (depth == max_depth || dwarf_child(&parent, &entry) != 0) return;
    do {
      if (++entries_ > max_entries) return;
      const int tag = dwarf_tag(&entry);
      if (tag == DW_TAG_inlined_subroutine) note(entry);
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block) visit_children(entry, depth + 1);
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  // What is inlined into this comes later, and takes its place if it is called from the student's file, too.
  void note(Dwarf_Die& entry) {
    const auto number = [&](unsigned attribute) {
      Dwarf_Attribute found;
      Dwarf_Word value = 0;
      return dwarf_attr(&entry, attribute, &found) != nullptr && dwarf_formudata(&found, &value) == 0 ? value : 0;
    };
    const Dwarf_Word file = number(DW_AT_call_file), line = number(DW_AT_call_line);
    if (file >= file_count_ || !is_students(dwarf_filesrc(files_, file, nullptr, nullptr), primary_)) return;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t next = 0; (next = dwarf_ranges(&entry, next, &base, &begin, &end)) > 0 && ++entries_ < max_entries;)
      for (std::uint64_t at = begin - text_; at < end - text_ && at < lines_.size(); ++at) lines_[at] = static_cast<int>(line);
  }

  const char* primary_;
  std::uint64_t text_;
  std::vector<int> lines_;
  Dwarf_Files* files_ = nullptr;
  std::size_t file_count_ = 0;
  int entries_ = 0;
};

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
  const CallLines calls(unit, primary, text, lines.size());
  int current = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t offset = rows[i].address - text;
    const int called = rows[i].line < 0 && offset < lines.size() ? calls.at(offset) : 0;
    current = rows[i].ends ? 0 : rows[i].line > 0 ? rows[i].line : called > 0 ? called : current;
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

}  // namespace

std::vector<int> source_lines(std::span<const std::uint8_t> elf, std::uint64_t text, std::uint64_t text_bytes) {
  std::vector<int> lines(text_bytes, 0);
  bool any = false;
  for_each_unit(elf, [&](Dwarf_Die& unit) { any = true, read_unit(unit, text, lines); });
  return any ? lines : std::vector<int>();
}

}  // namespace histolab::kernels::emulator
