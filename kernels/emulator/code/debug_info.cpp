#include "kernels/emulator/code/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>

namespace histolab::kernels::emulator {
namespace {

// The compiled file is the line table's primary source; anything else it names was included.
bool is_students(const char* file, const char* primary) {
  return file != nullptr && primary != nullptr && std::string_view(file).ends_with(primary);
}

// Numbers the origins. Positions with the same file, line and column that were inlined by the same
// call have one number.
class Numbers {
 public:
  explicit Numbers(std::vector<Origin>& origins) : origins_(origins) { origins_.assign(1, {}); }
  std::uint32_t of(const char* file, int line, int column, bool students, std::uint32_t caller) {
    const auto [known, is_new] = numbers_.try_emplace({file, line, column, caller},
                                                      static_cast<std::uint32_t>(origins_.size()));
    if (is_new) origins_.push_back({students ? line : 0, caller});
    return known->second;
  }

 private:
  std::map<std::tuple<const char*, int, int, std::uint32_t>, std::uint32_t> numbers_;
  std::vector<Origin>& origins_;
};

// For each offset in the text: the call that inlined the code there, and its line in the student's
// file.
class InliningCalls {
 public:
  InliningCalls(Dwarf_Die& unit, const char* primary, std::uint64_t text, std::size_t text_bytes,
                Numbers& numbers)
      : primary_(primary), text_(text), calls_(text_bytes), numbers_(numbers) {
    if (dwarf_getsrcfiles(&unit, &files_, &file_count_) == 0) visit_children(unit, 0, 0);
  }
  // Returns the innermost call that inlined the instruction at `offset`: its origin, and the line
  // of the innermost such call in the student's file, or 0.
  [[nodiscard]] SourcePlace at(std::uint64_t offset) const {
    return offset < calls_.size() ? calls_[offset] : SourcePlace{};
  }

 private:
  // Limits, because the entries of a damaged file may form a cycle.
  static constexpr int max_depth = 200;
  static constexpr std::uint64_t max_work = 1 << 24;  // entries and bytes of text

  void visit_children(Dwarf_Die& parent, int depth, std::uint32_t caller) {
    Dwarf_Die entry;
    if (depth == max_depth || dwarf_child(&parent, &entry) != 0) return;
    do {
      if (++work_ > max_work) return;
      const int tag = dwarf_tag(&entry);
      const std::uint32_t call = tag == DW_TAG_inlined_subroutine ? note(entry, caller) : caller;
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ||
          tag == DW_TAG_lexical_block)
        visit_children(entry, depth + 1, call);
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  // Records an inlined call for its range of the text, and returns its origin. Calls inlined into
  // it are visited later and overwrite the origin, but the line only if they are in the student's
  // file.
  std::uint32_t note(Dwarf_Die& entry, std::uint32_t caller) {
    const auto number = [&](unsigned attribute) {
      Dwarf_Attribute found;
      Dwarf_Word value = 0;
      return dwarf_attr(&entry, attribute, &found) != nullptr &&
                     dwarf_formudata(&found, &value) == 0
                 ? value
                 : 0;
    };
    const Dwarf_Word file = number(DW_AT_call_file);
    const int line = static_cast<int>(number(DW_AT_call_line)),
              column = static_cast<int>(number(DW_AT_call_column));
    const char* const name =
        file < file_count_ ? dwarf_filesrc(files_, file, nullptr, nullptr) : nullptr;
    const bool students = is_students(name, primary_);
    const std::uint32_t call = numbers_.of(name, line, column, students, caller);
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t next = 0;
         (next = dwarf_ranges(&entry, next, &base, &begin, &end)) > 0 && ++work_ < max_work;)
      for (std::uint64_t at = begin - text_; at < end - text_ && at < calls_.size(); ++at, ++work_)
        calls_[at] = {students ? line : calls_[at].line, call};
    return call;
  }

  const char* primary_;
  std::uint64_t text_;
  std::vector<SourcePlace> calls_;
  Numbers& numbers_;
  Dwarf_Files* files_ = nullptr;
  std::size_t file_count_ = 0;
  std::uint64_t work_ = 0;
};

void read_unit(Dwarf_Die& unit, std::uint64_t text, std::vector<SourcePlace>& places,
               Numbers& numbers) {
  Dwarf_Lines* table = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit, &table, &count) != 0) return;
  const char* primary = dwarf_diename(&unit);
  struct Row {
    std::uint64_t address;
    const char* file;
    int line, column;
    bool students, ends;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* entry = dwarf_onesrcline(table, i);
    Dwarf_Addr address = 0;
    int line = 0, column = 0;
    bool ends = false;
    if (dwarf_lineaddr(entry, &address) != 0 || dwarf_lineno(entry, &line) != 0 ||
        dwarf_lineendsequence(entry, &ends) != 0)
      continue;
    if (dwarf_linecol(entry, &column) != 0) column = 0;
    const char* const file = dwarf_linesrc(entry, nullptr, nullptr);
    rows.push_back({address, file, line, column, is_students(file, primary), ends});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.address < b.address; });
  const InliningCalls calls(unit, primary, text, places.size(), numbers);
  int current = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::uint64_t begin = row.address - text,
                        end = i + 1 < rows.size() ? rows[i + 1].address - text : begin;
    const SourcePlace call = calls.at(begin);
    const int line = row.students && row.line > 0 ? row.line : call.line;
    current = row.ends ? 0 : line > 0 ? line : current;
    if (begin >= places.size() || end > places.size() || begin >= end) continue;
    const std::uint32_t origin =
        row.ends || row.line <= 0
            ? 0
            : numbers.of(row.file, row.line, row.column, row.students, call.origin);
    std::fill(places.begin() + static_cast<std::ptrdiff_t>(begin),
              places.begin() + static_cast<std::ptrdiff_t>(end), SourcePlace{current, origin});
  }
}

// Calls `f` with each compilation unit.
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

}  // namespace

SourcePlaces source_places(std::span<const std::uint8_t> elf, std::uint64_t text,
                           std::uint64_t text_bytes) {
  SourcePlaces places{std::vector<SourcePlace>(text_bytes), {}};
  Numbers numbers(places.origins);
  bool any = false;
  for_each_unit(elf, [&](Dwarf_Die& unit) {
    any = true;
    read_unit(unit, text, places.of, numbers);
  });
  if (!any) places.of.clear();
  return places;
}

std::pair<int, int> lines_of_parting(const std::vector<Origin>& origins, std::uint32_t one,
                                     std::uint32_t other) {
  // The chain of calls, outermost first. It is finite, since a caller has a lower number.
  const auto way_to = [&](std::uint32_t place) {
    std::vector<std::uint32_t> way;
    for (; place != 0 && place < origins.size(); place = origins[place].caller)
      way.push_back(place);
    std::ranges::reverse(way);
    return way;
  };
  const auto way = way_to(one), other_way = way_to(other);
  auto [at, other_at] = std::ranges::mismatch(way, other_way);
  const auto line_from = [&](auto from, auto end) {
    const auto of_the_student =
        std::find_if(from, end, [&](std::uint32_t place) { return origins[place].line > 0; });
    return of_the_student == end ? 0 : origins[*of_the_student].line;
  };
  return {line_from(at, way.end()), line_from(other_at, other_way.end())};
}

}  // namespace histolab::kernels::emulator
