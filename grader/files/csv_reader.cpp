#include "grader/files/csv_reader.h"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "grader/words/characters.h"
#include "reference/utf8.h"

namespace histolab::grader {
namespace {

// The delimiter that occurs most often in the header.
char delimiter_of(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  constexpr std::array delimiters = {',', ';', '\t'};
  return *std::ranges::max_element(delimiters, {},
                                   [&](char each) { return std::ranges::count(header, each); });
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

struct Lines {
  std::vector<CsvTable::Row> rows;
  std::vector<std::string> cells;
  std::size_t line = 1, begin = 1;

  void end_row() {
    if (std::ranges::any_of(cells, [](const std::string& cell) { return !cell.empty(); }))
      rows.push_back({begin, cells});
    cells.clear();
  }
};

void take_cell(void* bytes, std::size_t size, void* lines) {
  static_cast<Lines*>(lines)->cells.push_back(
      trimmed_cell({static_cast<const char*>(bytes), size}));
}
void take_row(int, void* lines) { static_cast<Lines*>(lines)->end_row(); }

}  // namespace

std::string trimmed_cell(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string{cell.substr(first, cell.find_last_not_of(" \t\r\n") + 1 - first)};
}

std::string plain_column(std::string_view name) {
  std::string plain;
  for (const char c : lower(std::string{name}))
    if (c != ' ' && c != '-' && c != '_') plain += c;
  return plain;
}

std::optional<std::size_t> CsvTable::column(std::span<const std::string_view> names) const {
  for (const std::string_view name : names)
    for (std::size_t i = 0; i < header.size(); ++i)
      if (plain_column(header[i]) == plain_column(name)) return i;
  return std::nullopt;
}

Result<CsvTable> read_csv(const std::string& file, const std::string& text) {
  std::string_view rest = text;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  if (!is_utf8(rest)) return Error{fmt::format("{}: is not UTF-8; save it as \"CSV UTF-8\"", file)};
  if (const std::string start = trimmed_cell(rest.substr(0, 100));
      start.starts_with('{') || start.starts_with('['))
    return Error{fmt::format(
        "{}: is JSON; expected a CSV table, with the columns' names in its first line", file)};
  CsvTable table;
  table.delimiter = delimiter_of(rest);
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
    return Error{fmt::format("{}: out of memory", file)};
  const std::unique_ptr<csv_parser, decltype(&csv_free)> owner{&parser, &csv_free};
  csv_set_delim(&parser, static_cast<unsigned char>(table.delimiter));
  Lines lines;
  const auto failed = [&] {
    return Error{fmt::format("{}:{}: {}", file, lines.begin, csv_strerror(csv_error(&parser)))};
  };
  // Line by line, because the parser does not count lines. A quoted cell may span several lines.
  for (std::size_t at = 0; at < rest.size(); ++lines.line) {
    const std::size_t size = std::min(rest.find('\n', at), rest.size() - 1) + 1 - at;
    if (lines.cells.empty() && parser.quoted == 0) lines.begin = lines.line;
    if (csv_parse(&parser, rest.data() + at, size, take_cell, take_row, &lines) != size)
      return failed();
    at += size;
  }
  if (csv_fini(&parser, take_cell, take_row, &lines) != 0) return failed();
  if (lines.rows.empty())
    return Error{fmt::format("{}: is empty; expected a line with the columns' names", file)};
  table.header = std::move(lines.rows.front().cells);
  lines.rows.erase(lines.rows.begin());
  for (CsvTable::Row& row : lines.rows) {
    if (row.cells.size() > table.header.size())
      return Error{
          fmt::format("{}:{}: {} cells, and the header has {}; quote cells that contain \"{}\"",
                      file, row.line, row.cells.size(), table.header.size(), table.delimiter)};
    row.cells.resize(table.header.size());
  }
  table.rows = std::move(lines.rows);
  return table;
}

}  // namespace histolab::grader
