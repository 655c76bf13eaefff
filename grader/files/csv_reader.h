// CsvTable: a CSV file that a person or a learning platform wrote, such as a roster.
//
// Reads RFC 4180 with commas, semicolons (spreadsheets of many countries) or tabs, with or without
// a byte order mark. Trims cells and drops lines without text.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace histolab::grader {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
// The text of a cell without surrounding blanks and line ends.
[[nodiscard]] std::string trimmed_cell(std::string_view cell);

struct CsvTable {
  struct Row {
    std::size_t line = 0;            // first line of the row in the file, from 1
    std::vector<std::string> cells;  // as many as the header has
    friend bool operator==(const Row&, const Row&) = default;
  };
  std::vector<std::string> header;
  std::vector<Row> rows;
  char delimiter = ',';

  // Returns the index of a column with one of these names, or nullopt if there is none. Earlier
  // names have precedence. Ignores case, blanks, '-' and '_'.
  [[nodiscard]] std::optional<std::size_t> column(
      std::initializer_list<std::string_view> names) const {
    return column(std::span{names.begin(), names.size()});
  }
  [[nodiscard]] std::optional<std::size_t> column(std::span<const std::string_view> names) const;
};

// A column's name in lower case, without blanks, '-' and '_'.
[[nodiscard]] std::string plain_column(std::string_view name);

// `file` is the name used in messages. Returns an Error if the text is not UTF-8, is JSON, has no
// header or an unterminated quote, or if a row has more cells than the header. The message has the
// line, if there is one.
[[nodiscard]] Result<CsvTable> read_csv(const std::string& file, const std::string& text);

}  // namespace histolab::grader
