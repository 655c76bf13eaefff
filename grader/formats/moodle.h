// Moodle's grading worksheet: a CSV file that Moodle writes ("Download grading worksheet") and
// takes back with grades and comments ("Upload grading worksheet"). It finds a row's student by
// "Identifier", and needs the headings "Identifier", "Grade" and "Last modified (grade)"
// (mod/assign/feedback/offline/importgradeslib.php). A row without a grade is left alone; a comment
// is HTML (mod/assign/feedback/comments/locallib.php, set_editor_text).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/formats/graded.h"
#include "grader/formats/platform.h"
#include "reference/result.h"

namespace histolab::formats {

// The results of one student, as far as Moodle takes them.
struct MoodleMark {
  batch::Student student;
  std::vector<MoodleNumber> found;  // in every assignment
  std::set<std::string> numbers;    // in the assignment of these labs
  std::optional<double> score;      // missing if a lab has no mark
  double max_score = 0;
  std::string comment;  // lines of text
};
[[nodiscard]] MoodleMark moodle_mark_of(const Graded& graded);
// Sets `numbers`. The assignment is the folder in which files of these labs were found. A student
// without a file there may have a number of another assignment, which does not count.
void choose_numbers(std::vector<MoodleMark>& marks);

// A worksheet that keeps every byte except the replaced cells.
class Worksheet {
 public:
  // `headings` maps English column names to those of a worksheet in another language.
  // Returns an Error if the text is not CSV in UTF-8, or if a column is missing.
  static Result<Worksheet> read(const std::string& file, std::string text,
                                const std::map<std::string, std::string>& headings);
  // The keys that `headings` may have.
  [[nodiscard]] static std::vector<std::string> columns();

  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  // Empty if the column or the cell is missing.
  [[nodiscard]] std::string cell(std::size_t row, const std::string& column) const;
  [[nodiscard]] std::string participant(std::size_t row) const;  // "12345" of "Participant 12345"
  // Does nothing if the column or the cell is missing.
  void set(std::size_t row, const std::string& column, const std::string& text);
  [[nodiscard]] std::string text() const;

 private:
  struct Cell {
    std::size_t begin = 0, end = 0;  // in text_
    std::string value;               // without its quotes
    std::optional<std::string> instead = std::nullopt;
  };
  static std::vector<std::vector<Cell>> cells_of(const std::string& text, char delimiter);
  [[nodiscard]] const Cell* find(std::size_t row, const std::string& column) const;

  std::string text_;
  std::vector<std::vector<Cell>> rows_;        // without the headings
  std::map<std::string, std::size_t> column_;  // by the English name
};

// The row of each student. A row is found by the number in its identifier, then by e-mail address,
// ID number, name and login; a row with the name of another person is not taken. If two fit,
// neither is.
struct RowMatch {
  std::optional<std::size_t> row;
  std::string problem;  // the reason for a missing row
};
[[nodiscard]] std::vector<RowMatch> match_rows(const Worksheet& worksheet,
                                               const std::vector<MoodleMark>& marks);

struct FilledWorksheet {
  std::string text;
  std::vector<std::string> lost;     // students without a row, with the reason
  std::vector<std::string> unknown;  // names in rows without a student
  std::vector<std::string> changed;  // grades that replaced different ones
  std::size_t rows = 0;              // with a student
};
// The grade is the student's share of all points, scaled to the row's maximum grade. A comment that
// a person wrote stays.
[[nodiscard]] Result<FilledWorksheet> fill(Worksheet worksheet,
                                           const std::vector<MoodleMark>& marks);
// Makes a worksheet without Moodle's. `lost` has the students without a number: Moodle skips their
// rows.
[[nodiscard]] FilledWorksheet new_worksheet(const std::vector<MoodleMark>& marks);

}  // namespace histolab::formats
