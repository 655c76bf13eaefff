// Writes CSV (RFC 4180, but with lines that end in \n) that is safe to open in a spreadsheet.
//
// A cell that a spreadsheet could read as a formula gets a leading ', which makes it text: one that
// begins with = + - @ or their full-width forms (OWASP, "CSV Injection"). Every cell except plain
// words is quoted, so that no locale's separator splits it. Newlines and tabs become blanks, so
// that each row is one line.
#pragma once

#include <string>
#include <vector>

namespace histolab::formats {

[[nodiscard]] std::string csv_cell(const std::string& text);
[[nodiscard]] std::string csv_row(const std::vector<std::string>& texts);

}  // namespace histolab::formats
