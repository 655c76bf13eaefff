#include "kernels/emulator/code/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "kernels/emulator/code/debug_units.h"
#include "kernels/emulator/memory/source_line.h"

namespace histolab::kernels::emulator {
namespace {

// Finds the student's files, and numbers their lines.
class StudentsLines {
 public:
  StudentsLines(std::span<const std::string> library_folders, std::vector<std::string>& files)
      : library_folders_(library_folders), files_(files) {}
  void begin_unit(Dwarf_Die& unit) {
    const char* const primary = dwarf_diename(&unit);
    primary_ = primary != nullptr ? primary : "";
    Dwarf_Attribute folder;
    const char* const text = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &folder));
    folder_ = text != nullptr ? std::string(text) + "/" : std::string{};
    numbers_.clear();
    last_file_ = nullptr;
  }
  // Returns the number of a line in the student's files. Returns 0 for a line of another file.
  [[nodiscard]] int number(const char* file, int line) {
    if (file == nullptr || line <= 0) return 0;
    if (file != last_file_) {
      const auto [known, is_new] = numbers_.try_emplace(file, 0);
      if (is_new) known->second = number_of_file(file);
      last_file_ = file;
      last_number_ = known->second;
    }
    return last_number_ < 0 ? 0 : line_number(last_number_, line);
  }

 private:
  // Returns -1 for a file that is not the student's. The compiled file is the line table's primary
  // source; anything else it names was included.
  int number_of_file(std::string_view file) {
    if (library_folders_.empty()) return !primary_.empty() && file.ends_with(primary_) ? 0 : -1;
    if (std::ranges::any_of(library_folders_,
                            [&](const std::string& folder) { return file.starts_with(folder); }) ||
        file.ends_with('>'))  // "<built-in>"
      return -1;
    if (!folder_.empty() && file.starts_with(folder_)) file.remove_prefix(folder_.size());
    const auto known = std::ranges::find(files_, file);
    if (known == files_.end() && files_.size() == std::size_t{most_source_files}) return -1;
    if (known == files_.end()) files_.emplace_back(file);
    return static_cast<int>(std::ranges::find(files_, file) - files_.begin()) + 1;
  }

  const std::span<const std::string> library_folders_;
  std::vector<std::string>& files_;
  std::string primary_, folder_;        // of the unit
  std::map<const char*, int> numbers_;  // of the unit's files
  const char* last_file_ = nullptr;     // and its number: most lines are of the same file
  int last_number_ = 0;
};

// Numbers the origins. Positions with the same file, line and column that were inlined by the same
// call have one number.
class Numbers {
 public:
  explicit Numbers(std::vector<Origin>& origins) : origins_(origins) { origins_.assign(1, {}); }
  // `students`: the line's number in the student's files, or 0.
  std::uint32_t of(const char* file, int line, int column, int students, std::uint32_t caller) {
    const auto [known, is_new] = numbers_.try_emplace({file, line, column, caller},
                                                      static_cast<std::uint32_t>(origins_.size()));
    if (is_new) origins_.push_back({students, caller});
    return known->second;
  }

 private:
  std::map<std::tuple<const char*, int, int, std::uint32_t>, std::uint32_t> numbers_;
  std::vector<Origin>& origins_;
};

// For each offset in the text: the call that inlined the code there, and its line in the student's
// files.
class InliningCalls {
 public:
  InliningCalls(Dwarf_Die& unit, StudentsLines& lines, std::uint64_t text, std::size_t text_bytes,
                Numbers& numbers)
      : lines_(lines), text_(text), calls_(text_bytes), numbers_(numbers) {
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
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
          (tag == DW_TAG_subprogram && is_loaded(entry)))
        visit_children(entry, depth + 1, call);
    } while (dwarf_siblingof(&entry, &entry) == 0);
  }

  // Returns whether code of the function is in the text. A program's object has many functions of
  // the host.
  [[nodiscard]] bool is_loaded(Dwarf_Die& function) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t next = 0;
         (next = dwarf_ranges(&function, next, &base, &begin, &end)) > 0 && ++work_ < max_work;)
      if (begin - text_ < calls_.size()) return true;
    return false;
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
    const int students = lines_.number(name, line);
    const std::uint32_t call = numbers_.of(name, line, column, students, caller);
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t next = 0;
         (next = dwarf_ranges(&entry, next, &base, &begin, &end)) > 0 && ++work_ < max_work;)
      for (std::uint64_t at = begin - text_; at < end - text_ && at < calls_.size(); ++at, ++work_)
        calls_[at] = {students > 0 ? students : calls_[at].line, call};
    return call;
  }

  StudentsLines& lines_;
  std::uint64_t text_;
  std::vector<SourcePlace> calls_;
  Numbers& numbers_;
  Dwarf_Files* files_ = nullptr;
  std::size_t file_count_ = 0;
  std::uint64_t work_ = 0;
};

void read_unit(Dwarf_Die& unit, std::uint64_t text, std::vector<SourcePlace>& places,
               StudentsLines& lines, Numbers& numbers) {
  Dwarf_Lines* table = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrclines(&unit, &table, &count) != 0) return;
  lines.begin_unit(unit);
  struct Row {
    std::uint64_t address;
    const char* file;
    int line, column, students;
    bool ends;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    Dwarf_Line* entry = dwarf_onesrcline(table, i);
    Dwarf_Addr address = 0;
    int line = 0, column = 0;
    bool ends = false;
    if (dwarf_lineaddr(entry, &address) != 0 || dwarf_lineno(entry, &line) != 0 ||
        dwarf_lineendsequence(entry, &ends) != 0 || address - text > places.size())
      continue;
    if (dwarf_linecol(entry, &column) != 0) column = 0;
    const char* const file = dwarf_linesrc(entry, nullptr, nullptr);
    rows.push_back({address, file, line, column, lines.number(file, line), ends});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.address < b.address; });
  const InliningCalls calls(unit, lines, text, places.size(), numbers);
  int current = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::uint64_t begin = row.address - text,
                        end = i + 1 < rows.size() ? rows[i + 1].address - text : begin;
    const SourcePlace call = calls.at(begin);
    const int line = row.students > 0 ? row.students : call.line;
    current = row.ends ? 0 : line > 0 ? line : current;
    // Behind the end may be the code of another unit.
    if (row.ends || begin >= places.size() || end > places.size() || begin >= end) continue;
    const std::uint32_t origin =
        row.line <= 0 ? 0 : numbers.of(row.file, row.line, row.column, row.students, call.origin);
    std::fill(places.begin() + static_cast<std::ptrdiff_t>(begin),
              places.begin() + static_cast<std::ptrdiff_t>(end), SourcePlace{current, origin});
  }
}

}  // namespace

SourcePlaces source_places(std::span<const std::uint8_t> elf, std::uint64_t text,
                           std::uint64_t text_bytes, std::span<const std::string> library_folders) {
  SourcePlaces places{std::vector<SourcePlace>(text_bytes), {}, {}};
  StudentsLines lines(library_folders, places.files);
  Numbers numbers(places.origins);
  bool any = false;
  for_each_unit(elf, [&](Dwarf_Die& unit) {
    any = true;
    read_unit(unit, text, places.of, lines, numbers);
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
