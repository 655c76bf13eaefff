#include "grader/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/formats/formats.h"
#include "grader/html/html.h"

namespace histolab::formats {
namespace {

bool is_formula(const std::string& text) {
  constexpr std::array<const char*, 9> beginnings = {
      "=",           "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0",
      "\xE2\x88\x92"};                                    // full-width = + - @, and the minus sign
  const std::size_t first = text.find_first_not_of(' ');  // some spreadsheets skip blanks
  return first != std::string::npos &&
         std::any_of(beginnings.begin(), beginnings.end(), [&](const char* beginning) {
           return text.compare(first, std::char_traits<char>::length(beginning), beginning) == 0;
         });
}

std::string mark_cell(const batch::Mark& mark) {
  return mark.has_score() ? points_text(mark.score) : std::string{};
}

}  // namespace

std::string csv_cell(const std::string& text) {
  std::string cell = grader::shown_text(text);
  for (char& c : cell)
    if (c == '\n' || c == '\t') c = ' ';
  if (is_formula(cell)) cell.insert(0, "'");
  const bool plain = std::all_of(cell.begin(), cell.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_' || c == '~' || c == ' ';
  });
  if (plain) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_row(const std::vector<std::string>& texts) {
  std::string row;
  for (std::size_t i = 0; i < texts.size(); ++i) row += (i == 0 ? "" : ",") + csv_cell(texts[i]);
  return row + "\n";
}

std::string csv_head(const std::vector<batch::Lab>& labs) {
  std::vector<std::string> header = {"student", "name", "email", "id", "section"};
  for (const batch::Lab& lab : labs) header.push_back(lab.name);
  header.emplace_back("total");
  return csv_row(header);
}

std::string csv_line(const Graded& graded) {
  const batch::Student& student = graded.student;
  std::vector<std::string> row = {student.key, student.name, student.email,
                                  student.sis_id.empty() ? student.id : student.sis_id,
                                  student.section};
  for (const batch::Mark& mark : graded.marks) row.push_back(mark_cell(mark));
  const std::optional<double> total = score_of(graded);
  row.push_back(total ? points_text(*total) : std::string{});
  return csv_row(row);
}

std::string canvas_head(const std::vector<batch::Lab>& labs,
                        const std::map<std::string, std::string>& columns) {
  std::vector<std::string> header = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"},
                           points = {"    Points Possible", "", "", "", ""};
  for (const batch::Lab& lab : labs) {
    const auto named = columns.find(lab.name);
    header.push_back(named != columns.end() ? named->second : lab.name + " " + lab.title);
    points.push_back(fmt::format("{:.2f}", static_cast<double>(lab.max_score)));
  }
  return csv_row(header) + csv_row(points);
}

std::string canvas_line(const Graded& graded) {
  const batch::Student& student = graded.student;
  std::vector<std::string> row = {student.name.empty() ? student.key : student.name, student.id,
                                  student.sis_id, student.login, student.section};
  for (const batch::Mark& mark : graded.marks) row.push_back(mark_cell(mark));
  return csv_row(row);
}

}  // namespace histolab::formats
