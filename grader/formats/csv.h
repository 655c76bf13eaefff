// CSV as RFC 4180 has it, but for lines that end in \n alone, and safe to open in a spreadsheet.
//
// A cell that a spreadsheet would take for a formula gets a ' in front, which makes it text there:
// one that begins with = + - @, also in their full-width forms (OWASP, "CSV Injection"). Whatever
// is no plain word is in quotes, so that no separator of any locale cuts a cell in two. Newlines
// and tabs become blanks: a row is a line.
#pragma once

#include <string>
#include <vector>

namespace histolab::formats {

[[nodiscard]] std::string csv_cell(const std::string& text);
[[nodiscard]] std::string csv_row(const std::vector<std::string>& texts);

}  // namespace histolab::formats
