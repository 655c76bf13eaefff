#include "grader/cli/class_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/bundle/zip.h"
#include "grader/cli/command.h"
#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/formats/feedback.h"
#include "grader/formats/formats.h"
#include "grader/formats/moodle.h"
#include "grader/formats/platform.h"
#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using formats::Graded;

constexpr std::size_t largest_worksheet = 16 << 20;

void note_each(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  note(fmt::format("histolab: {}:\n", title));
  for (const std::string& line : lines) note(grader::paragraph(line, 2));
}

// Writes `head`, then `text` for each student, then `tail`.
Result<int> write_all(const ClassOutput& of, const std::string& head,
                      const std::function<std::string(const Graded&)>& text,
                      const std::string& tail) {
  grader::FileWriter file = TRY(grader::FileWriter::begin(of.output));
  TRY(file.add(head));
  TRY(of.each([&](const Graded& student) { return file.add(text(student)); }));
  TRY(file.add(tail));
  TRY(file.end());
  return done;
}

Result<std::map<std::string, std::string>> named_columns(const ClassOutput& of) {
  std::map<std::string, std::string> columns;
  std::vector<std::string> labs;
  for (const batch::Lab& lab : of.labs) labs.push_back(lab.name);
  for (const std::string& word : of.columns) {
    const std::size_t equals = word.find('=');
    const std::string lab = word.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == word.size())
      return Error{
          fmt::format("--column {}: give LAB=NAME, such as \"01-race=Lab 1 (4711)\"", word)};
    if (std::find(labs.begin(), labs.end(), lab) == labs.end())
      return Error{fmt::format("--column {}: the results have no lab \"{}\"{}", word, lab,
                               grader::did_you_mean(lab, labs))};
    columns[lab] = word.substr(equals + 1);
  }
  return columns;
}

Result<std::map<std::string, std::string>> worksheet_headings(const ClassOutput& of) {
  std::map<std::string, std::string> headings;
  const std::vector<std::string> known = formats::Worksheet::columns();
  for (const std::string& word : of.columns) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (of.worksheet.empty())
      return Error{fmt::format("--column {}: for --format {} it names a column of --worksheet FILE",
                               word, of.format)};
    if (equals == std::string::npos || std::ranges::find(known, name) == known.end())
      return Error{fmt::format(
          "--column {}: give COLUMN=NAME, such as \"Grade=Bewertung\"; the columns are {}", word,
          fmt::join(known, ", "))};
    headings[name] = word.substr(equals + 1);
  }
  return headings;
}

// Returns nullopt without --worksheet.
Result<std::optional<formats::Worksheet>> read_worksheet(const ClassOutput& of) {
  const auto headings = TRY(worksheet_headings(of));
  if (of.worksheet.empty()) return std::optional<formats::Worksheet>{};
  std::string text = TRY(grader::read_text_file(of.worksheet, "worksheet", largest_worksheet));
  return std::optional{TRY(formats::Worksheet::read(of.worksheet, std::move(text), headings))};
}

Result<std::vector<formats::MoodleMark>> marks_of(const EachStudent& each) {
  std::vector<formats::MoodleMark> marks;
  TRY(each([&](const Graded& student) -> Status {
    marks.push_back(formats::moodle_mark_of(student));
    return Done{};
  }));
  choose_numbers(marks);
  return marks;
}

Result<int> write_zip(const std::string& output, const std::string& usual,
                      std::vector<bundle::File> files, const std::vector<std::string>& lost) {
  if (files.empty())
    return Error{fmt::format("{}: there is nothing to put into it; {}",
                             output == "-" ? usual : output,
                             lost.empty() ? "the results have no students" : lost.front())};
  const std::string path = output == "-" ? usual : output;
  const std::size_t count = files.size();
  TRY(grader::write_file(path, TRY(bundle::zip_of(std::move(files)))));
  note(fmt::format("histolab: {} in {}\n", grader::counted(count, "file"), path));
  note_each(fmt::format("{} not in it", grader::counted(lost.size(), "student is", "students are")),
            lost);
  return lost.empty() ? done : not_passed;
}

Status write_feedback_files(const std::string& folder, const EachStudent& each) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return Error{fmt::format("{}: cannot be made: {}", folder, failure.message())};
  std::size_t written = 0;
  Status all = each([&](const Graded& student) -> Status {
    const std::string file = (std::filesystem::path(folder) / student.student.key).string();
    TRY(grader::write_file(file + ".html", formats::to_feedback_html(student)));
    ++written;
    return grader::write_file(file + ".txt", formats::to_feedback_text(student));
  });
  if (all)
    note(fmt::format("histolab: feedback for {} in {}\n", grader::counted(written, "student"),
                     folder));
  return all;
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || fs::is_directory(path, ignored);
}

Result<int> write_csv(const ClassOutput& of) {
  return write_all(of, formats::csv_head(of.labs), formats::csv_line, "");
}

Result<int> write_canvas(const ClassOutput& of) {
  const auto columns = TRY(named_columns(of));
  return write_all(of, formats::canvas_head(of.labs, columns), formats::canvas_line, "");
}

Result<int> write_junit(const ClassOutput& of) {
  formats::JunitCounts counts;
  TRY(of.each([&](const Graded& student) -> Status {
    formats::count(counts, student);
    return Done{};
  }));
  return write_all(of, formats::junit_head(counts), formats::junit_suites, formats::junit_tail);
}

Result<int> write_feedback(const ClassOutput& of) {
  if (of.output != "-" && is_folder(of.output)) {
    TRY(write_feedback_files(of.output, of.each));
    return done;
  }
  if (of.students != 1)
    return Error{
        fmt::format("there are {} students: --output DIR/ writes a page and a text for each, "
                    "--student KEY chooses one",
                    of.students)};
  TRY(of.each([&](const Graded& student) {
    return grader::write_file(of.output, of.output.ends_with(".html")
                                             ? formats::to_feedback_html(student)
                                             : formats::to_feedback_text(student));
  }));
  return done;
}

Result<int> write_moodle(const ClassOutput& of) {
  const std::vector<formats::MoodleMark> marks = TRY(marks_of(of.each));
  std::optional<formats::Worksheet> worksheet = TRY(read_worksheet(of));
  formats::FilledWorksheet filled;
  if (!worksheet) {
    filled = formats::new_worksheet(marks);
  } else {
    Result<formats::FilledWorksheet> made = formats::fill(std::move(*worksheet), marks);
    if (!made) return Error{fmt::format("{}: {}", of.worksheet, made.error().message)};
    filled = std::move(*made);
  }
  TRY(grader::write_file(of.output, filled.text));
  note(fmt::format("histolab: {} filled\n", grader::counted(filled.rows, "row")));
  note_each(fmt::format("{} without a student here, left as {}",
                        grader::counted(filled.unknown.size(), "row is", "rows are"),
                        filled.unknown.size() == 1 ? "it was" : "they were"),
            filled.unknown);
  note_each(
      fmt::format("{} of the worksheet replaced", grader::counted(filled.changed.size(), "grade")),
      filled.changed);
  note_each(of.worksheet.empty()
                ? fmt::format("Moodle will skip {}; --worksheet FILE finds them by name",
                              grader::counted(filled.lost.size(), "student"))
                : fmt::format("{} without a row in {}",
                              grader::counted(filled.lost.size(), "student is", "students are"),
                              of.worksheet),
            filled.lost);
  return filled.lost.empty() ? done : not_passed;
}

Result<int> write_moodle_feedback(const ClassOutput& of) {
  std::vector<formats::MoodleMark> marks;
  std::vector<std::string> pages;
  TRY(of.each([&](const Graded& student) -> Status {
    marks.push_back(formats::moodle_mark_of(student));
    pages.push_back(formats::to_feedback_html(student));
    return Done{};
  }));
  choose_numbers(marks);
  std::vector<formats::RowMatch> rows;
  const std::optional<formats::Worksheet> worksheet = TRY(read_worksheet(of));
  if (worksheet) rows = match_rows(*worksheet, marks);
  std::map<std::string, std::vector<std::size_t>> by_number;
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    std::string number,
        problem =
            "no file of the assignment has the student's number in Moodle; --worksheet FILE "
            "finds it by name";
    if (worksheet) {
      if (rows[i].row) number = worksheet->participant(*rows[i].row);
      problem = rows[i].row ? "its row has no number" : rows[i].problem;
    } else if (marks[i].numbers.size() == 1) {
      number = *marks[i].numbers.begin();
    } else if (marks[i].numbers.size() > 1) {
      problem = "several assignments, each with its own number; select one with --lab";
    }
    if (number.empty())
      lost.push_back(fmt::format("{}: {}", formats::display_name(marks[i].student), problem));
    else
      by_number[number].push_back(i);
  }
  std::vector<bundle::File> files;
  for (const auto& [number, students] : by_number) {
    for (const std::size_t i : students) {
      if (students.size() == 1)
        files.push_back({formats::moodle_folder(marks[i].student, number) + "/feedback.html",
                         std::move(pages[i])});
      else
        lost.push_back(fmt::format("{}: {} students have the number {}",
                                   formats::display_name(marks[i].student), students.size(),
                                   number));
    }
  }
  return write_zip(of.output, "moodle-feedback.zip", std::move(files), lost);
}

Result<int> write_canvas_feedback(const ClassOutput& of) {
  std::vector<bundle::File> files;
  std::vector<std::string> lost;
  std::set<std::string> names;
  TRY(of.each([&](const Graded& student) -> Status {
    const std::vector<formats::CanvasFile> own = formats::canvas_files(student);
    if (own.empty())
      lost.push_back(fmt::format("{}: no file with Canvas's name was handed in",
                                 formats::display_name(student.student)));
    for (const formats::CanvasFile& file : own) {
      Graded part = student;
      part.marks.clear();
      for (const std::size_t i : file.marks) part.marks.push_back(student.marks[i]);
      if (names.insert(file.name).second)
        files.push_back({file.name, formats::to_feedback_text(part)});
      else
        lost.push_back(fmt::format("{}: another student has the file {}",
                                   formats::display_name(student.student),
                                   grader::shown_text(file.name)));
    }
    return Done{};
  }));
  return write_zip(of.output, "canvas-feedback.zip", std::move(files), lost);
}

}  // namespace histolab::cli
