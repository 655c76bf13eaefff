#include "grader/formats/moodle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "grader/batch/keys.h"
#include "grader/batch/people.h"
#include "grader/files/csv_reader.h"
#include "grader/formats/csv.h"
#include "grader/formats/feedback.h"
#include "grader/formats/platform.h"
#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::formats {
namespace {

using grader::trimmed_cell;

constexpr const char *identifier = "Identifier", *full_name = "Full name", *id_number = "ID number",
                     *email = "Email address", *grade = "Grade", *maximum = "Maximum grade",
                     *comments = "Feedback comments", *modified = "Last modified (grade)",
                     *username = "Username";

bool same_word(const std::string& one, const std::string& other) {
  return !one.empty() && batch::folded(trimmed_cell(one)) == batch::folded(trimmed_cell(other));
}

// Moodle writes numbers in the user's language: "10.00" or "10,00".
std::optional<double> number_in(std::string text) {
  std::ranges::replace(text, ',', '.');
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional{value};
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string html_of(const std::string& lines) {
  std::string html;
  for (const char c : grader::escaped_html(lines))
    html += c == '\n' ? "<br>" : c == '\t' ? " " : std::string(1, c);
  return html;
}

// Keeps a person's text at the beginning, and replaces the text of an earlier export.
std::string joined_comment(const std::string& before, const std::string& own) {
  std::string kept = trimmed_cell(before.substr(0, before.find(comment_mark)));
  while (kept.ends_with("<br>")) kept = trimmed_cell(kept.substr(0, kept.size() - 4));
  return kept.empty() ? own : kept + "<br><br>" + own;
}

}  // namespace

MoodleMark moodle_mark_of(const Graded& graded) {
  MoodleMark mark;
  mark.student = graded.student;
  mark.found = moodle_numbers(graded);
  mark.score = score_of(graded), mark.max_score = max_score_of(graded);
  mark.comment = to_feedback_comment(graded);
  return mark;
}

void choose_numbers(std::vector<MoodleMark>& marks) {
  std::set<std::string> folders;
  for (const MoodleMark& mark : marks)
    for (const MoodleNumber& each : mark.found)
      if (each.has_file) folders.insert(each.folder);
  for (MoodleMark& mark : marks)
    for (const MoodleNumber& each : mark.found)
      if (folders.empty() || folders.contains(each.folder)) mark.numbers.insert(each.number);
}

// ---- the file ----

std::vector<std::string> Worksheet::columns() {
  return {identifier, full_name, id_number, email, grade, maximum, comments, modified, username};
}

// The cells with their byte offsets, so that all other bytes stay; read_csv() has no offsets.
std::vector<std::vector<Worksheet::Cell>> Worksheet::cells_of(const std::string& text,
                                                              char delimiter) {
  std::vector<std::vector<Cell>> rows(1);
  std::size_t at = text.starts_with(grader::byte_order_mark) ? grader::byte_order_mark.size() : 0;
  while (at < text.size()) {
    Cell cell;
    cell.begin = at;
    bool in_quotes = text[at] == '"';
    for (at += in_quotes ? 1 : 0; at < text.size(); ++at) {
      const char c = text[at];
      if (in_quotes && c == '"' && text.compare(at, 2, "\"\"") == 0)
        cell.value += '"', ++at;
      else if (in_quotes && c == '"')
        in_quotes = false;
      else if (!in_quotes && (c == delimiter || c == '\n' || c == '\r'))
        break;
      else
        cell.value += c;
    }
    cell.end = at;
    rows.back().push_back(std::move(cell));
    if (at == text.size()) break;
    if (text[at] == delimiter) {
      if (++at == text.size()) rows.back().push_back({at, at, {}});
      continue;
    }
    at += text.compare(at, 2, "\r\n") == 0 ? 2 : 1;
    rows.emplace_back();
  }
  std::erase_if(rows, [](const auto& row) {
    return row.empty() || (row.size() == 1 && row.front().value.empty());
  });
  return rows;
}

Result<Worksheet> Worksheet::read(const std::string& file, std::string text,
                                  const std::map<std::string, std::string>& headings) {
  const grader::CsvTable table = TRY(grader::read_csv(file, text));
  Worksheet sheet;
  sheet.text_ = std::move(text);
  sheet.rows_ = cells_of(sheet.text_, table.delimiter);
  const std::vector<Cell> head = std::move(sheet.rows_.front());
  sheet.rows_.erase(sheet.rows_.begin());
  for (const std::string& column : columns()) {
    const auto named = headings.find(column);
    const auto found = std::ranges::find_if(head, [&](const Cell& cell) {
      return same_word(named == headings.end() ? column : named->second, cell.value);
    });
    if (found != head.end())
      sheet.column_[column] = static_cast<std::size_t>(found - head.begin());
    else if (named != headings.end())
      return Error{fmt::format("{}: has no column \"{}\"", file, named->second)};
  }
  for (const char* const needed : {identifier, grade, modified}) {
    if (sheet.column_.contains(needed)) continue;
    std::vector<std::string> seen;
    for (const Cell& cell : head) seen.push_back(cell.value);
    return Error{grader::shown_text(fmt::format(
        "{}: has no column \"{}\"; its columns are {}. Use Moodle's \"Download grading "
        "worksheet\"; for one in another language add --column \"{}=ITS NAME\"",
        file, needed, grader::shortened(fmt::format("{}", fmt::join(seen, ", ")), 200), needed))};
  }
  return sheet;
}

const Worksheet::Cell* Worksheet::find(std::size_t row, const std::string& column) const {
  const auto at = column_.find(column);
  return at == column_.end() || at->second >= rows_.at(row).size() ? nullptr
                                                                   : &rows_[row][at->second];
}

std::string Worksheet::cell(std::size_t row, const std::string& column) const {
  const Cell* const found = find(row, column);
  return found == nullptr ? std::string{} : found->value;
}

std::string Worksheet::participant(std::size_t row) const {
  const std::string text = trimmed_cell(cell(row, identifier));
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string::npos ? text : text.substr(last + 1);
}

void Worksheet::set(std::size_t row, const std::string& column, const std::string& text) {
  if (find(row, column) == nullptr) return;
  Cell& cell = rows_[row][column_[column]];
  if (cell.value == text) return;
  const bool was_quoted = cell.begin < cell.end && text_[cell.begin] == '"';
  const bool is_plain = text.find_first_of(",;\t\"\r\n ") == std::string::npos;
  cell.value = text;
  cell.instead = is_plain && !was_quoted ? text : quoted(text);
}

std::string Worksheet::text() const {
  std::string out;
  std::size_t at = 0;
  for (const std::vector<Cell>& row : rows_)
    for (const Cell& cell : row) {
      if (!cell.instead) continue;
      out += text_.substr(at, cell.begin - at) + *cell.instead;
      at = cell.end;
    }
  return out + text_.substr(at);
}

// ---- matching rows and students ----

namespace {

class RowMatcher {
 public:
  RowMatcher(const Worksheet& worksheet, const std::vector<MoodleMark>& marks)
      : worksheet_(worksheet),
        marks_(marks),
        matches_(marks.size()),
        rows_(worksheet.rows(), false) {
    for (const MoodleMark& mark : marks) students_.push_back(mark.student);
    for (RowMatch& match : matches_)
      match.problem = "no row has this number, e-mail address, ID number or name";
  }

  // Tries the most reliable column first. A row and a student that it matches are not considered
  // for the other columns.
  std::vector<RowMatch> match() && {
    const batch::People people{students_};
    const auto by_number = [&](std::size_t row) {
      std::vector<std::size_t> found;
      for (std::size_t i = 0; i < marks_.size(); ++i)
        if (marks_[i].numbers.contains(worksheet_.participant(row))) found.push_back(i);
      return found;
    };
    take_all_by(by_number);
    for (const char* const column : {email, id_number, username, full_name})
      take_all_by([&](std::size_t row) { return matches(people, worksheet_.cell(row, column)); });
    take_all_by([&](std::size_t row) {
      const std::string address = trimmed_cell(worksheet_.cell(row, email));
      return people.matches(address.substr(0, address.find('@')));
    });
    return std::move(matches_);
  }

 private:
  template <typename Find>
  void take_all_by(Find find) {
    std::map<std::size_t, std::vector<std::size_t>> students_of, rows_of;
    for (std::size_t row = 0; row < worksheet_.rows(); ++row) {
      if (rows_[row]) continue;
      for (const std::size_t i : find(row))
        if (!decided_.contains(i) && !has_other_name(row, students_[i]))
          students_of[row].push_back(i), rows_of[i].push_back(row);
    }
    for (const auto& [row, students] : students_of) rows_[row] = true;
    for (const auto& [i, rows] : rows_of) {
      decided_.insert(i);
      const std::size_t claims = students_of.at(rows.front()).size();
      if (rows.size() > 1)
        matches_[i].problem = fmt::format("{} rows match; none was used", rows.size());
      else if (claims > 1)
        matches_[i].problem =
            fmt::format("{} matches {} students; none was used",
                        grader::shown_text(worksheet_.cell(rows.front(), identifier)), claims);
      else
        matches_[i] = {rows.front(), {}};
    }
  }
  // People does not find a name without letters.
  [[nodiscard]] std::vector<std::size_t> matches(const batch::People& people,
                                                 const std::string& word) const {
    std::vector<std::size_t> found = people.matches(trimmed_cell(word));
    for (std::size_t i = 0; i < students_.size() && found.empty(); ++i)
      if (same_word(students_[i].name, word)) found.push_back(i);
    return found;
  }
  // A number may belong to another assignment or platform, which a different name reveals. A key is
  // not a name.
  [[nodiscard]] bool has_other_name(std::size_t row, const batch::Student& student) const {
    const std::string name = worksheet_.cell(row, full_name);
    const bool by_key = student.name.empty() || student.name == student.key;
    return !by_key && !name.empty() && !may_be_one_person(name, student.name);
  }

  const Worksheet& worksheet_;
  const std::vector<MoodleMark>& marks_;
  std::vector<batch::Student> students_;
  std::vector<RowMatch> matches_;
  std::vector<bool> rows_;         // true for decided rows
  std::set<std::size_t> decided_;  // decided students
};

}  // namespace

std::vector<RowMatch> match_rows(const Worksheet& worksheet, const std::vector<MoodleMark>& marks) {
  return RowMatcher{worksheet, marks}.match();
}

Result<FilledWorksheet> fill(Worksheet worksheet, const std::vector<MoodleMark>& marks) {
  FilledWorksheet filled;
  const std::vector<RowMatch> matches = match_rows(worksheet, marks);
  std::set<std::size_t> taken;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const MoodleMark& mark = marks[i];
    if (!matches[i].row) {
      filled.lost.push_back(fmt::format("{}: {}", display_name(mark.student), matches[i].problem));
      continue;
    }
    const std::size_t row = *matches[i].row;
    taken.insert(row);
    worksheet.set(row, comments,
                  joined_comment(worksheet.cell(row, comments), html_of(mark.comment)));
    if (!mark.score || mark.max_score <= 0) continue;
    const std::string top = trimmed_cell(worksheet.cell(row, maximum));
    const std::optional<double> most = number_in(top);
    if (!most && !top.empty())
      return Error{fmt::format("the worksheet's maximum grade \"{}\" is not a number",
                               grader::shown_text(top))};
    if (!most)
      return Error{
          "the worksheet has no maximum grade; an assignment that is graded with a scale has no "
          "points"};
    const std::string now = points_text(*mark.score * *most / mark.max_score),
                      before = trimmed_cell(worksheet.cell(row, grade));
    if (!before.empty() && number_in(before) != number_in(now))
      filled.changed.push_back(fmt::format("{}: {} instead of {}", display_name(mark.student), now,
                                           grader::shown_text(before)));
    worksheet.set(row, grade, now);
  }
  for (std::size_t row = 0; row < worksheet.rows(); ++row)
    if (!taken.contains(row))
      filled.unknown.push_back(grader::shown_text(trimmed_cell(
          worksheet.cell(row, full_name) + " (" + worksheet.cell(row, identifier) + ")")));
  filled.rows = taken.size();
  filled.text = worksheet.text();
  return filled;
}

FilledWorksheet new_worksheet(const std::vector<MoodleMark>& marks) {
  FilledWorksheet made;
  made.text = csv_row({identifier, full_name, id_number, email, "Status", grade, maximum,
                       "Grade can be changed", "Last modified (submission)", modified, comments});
  made.rows = marks.size();
  for (const MoodleMark& mark : marks) {
    const std::string number = mark.numbers.size() == 1 ? *mark.numbers.begin() : std::string{};
    if (number.empty())
      made.lost.push_back(fmt::format(
          "{}: {}", display_name(mark.student),
          mark.numbers.empty()
              ? "no file of the assignment has the student's number in Moodle"
              : "several assignments, each with its own number; select one with --lab"));
    made.text += csv_row({number.empty() ? "" : "Participant " + number,
                          mark.student.name.empty() ? mark.student.key : mark.student.name,
                          mark.student.sis_id, mark.student.email, "",
                          mark.score ? points_text(*mark.score) : "", points_text(mark.max_score),
                          "Yes", "", "", html_of(mark.comment)});
  }
  return made;
}

}  // namespace histolab::formats
