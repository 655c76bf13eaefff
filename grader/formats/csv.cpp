#include "grader/formats/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/formats/formats.h"
#include "grader/html/html.h"

namespace histolab::formats {
namespace {

bool is_formula(const std::string& text) {
  constexpr std::array<const char*, 9> beginnings = {"=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0", "\xE2\x88\x92"};  // full-width = + - @, and the minus sign
  const std::size_t first = text.find_first_not_of(' ');  // some spreadsheets skip blanks
  return first != std::string::npos && std::any_of(beginnings.begin(), beginnings.end(), [&](const char* beginning) { return text.compare(first, std::char_traits<char>::length(beginning), beginning) == 0; });
}

std::string mark_cell(const batch::Mark& mark) { return has_mark(mark.result.status) ? points_text(mark.score) : std::string{}; }

}  // namespace

std::string csv_cell(const std::string& text) {
  std::string cell = grader::shown_text(text);
  for (char& c : cell)
    if (c == '\n' || c == '\t') c = ' ';
  if (is_formula(cell)) cell.insert(0, "'");
  const bool plain = std::all_of(cell.begin(), cell.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == '~' || c == ' '; });
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

ClassTable table_of(const batch::ClassResults& results) {
  ClassTable table{results.labs, {}};
  for (const batch::Entry& entry : results.entries) table.students.push_back(graded_of(entry));
  return table;
}

ClassTable table_of(const grader::Report& report, const std::string& student) {
  ClassTable table;
  for (const grader::LabResult& lab : report.labs) {
    batch::Lab& column = table.labs.emplace_back();
    column.name = lab.lab, column.title = lab.title, column.max_score = lab.max_score;
  }
  Graded& graded = table.students.emplace_back(graded_of(report));
  graded.student.key = graded.student.name = student;
  return table;
}

std::string to_csv(const ClassTable& table) {
  std::vector<std::string> header = {"student"};
  for (const batch::Lab& lab : table.labs) header.push_back(lab.name);
  header.emplace_back("total");
  std::string out = csv_row(header);
  for (const Graded& graded : table.students) {
    std::vector<std::string> row = {graded.student.key};
    for (const batch::Mark& mark : graded.marks) row.push_back(mark_cell(mark));
    const std::optional<double> total = score_of(graded);
    row.push_back(total ? points_text(*total) : std::string{});
    out += csv_row(row);
  }
  return out;
}

std::string to_canvas(const ClassTable& table, const std::map<std::string, std::string>& columns) {
  std::vector<std::string> header = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}, points = {"    Points Possible", "", "", "", ""};
  for (const batch::Lab& lab : table.labs) {
    const auto named = columns.find(lab.name);
    header.push_back(named != columns.end() ? named->second : lab.name + " " + lab.title);
    points.push_back(fmt::format("{:.2f}", static_cast<double>(lab.max_score)));
  }
  std::string out = csv_row(header) + csv_row(points);
  for (const Graded& graded : table.students) {
    const batch::Student& student = graded.student;
    std::vector<std::string> row = {student.name.empty() ? student.key : student.name, student.id, student.sis_id, student.login, student.section};
    for (const batch::Mark& mark : graded.marks) row.push_back(mark_cell(mark));
    out += csv_row(row);
  }
  return out;
}

}  // namespace histolab::formats
