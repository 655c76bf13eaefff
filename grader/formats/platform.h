// Platform: the names that Moodle and Canvas give to students and to their files, read from the
// paths in a class (grader/batch/schemes.h). Both platforms take feedback by these names alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/formats/graded.h"

namespace histolab::formats {

// A number that Moodle's export has for the student. Each assignment has its own.
struct MoodleNumber {
  std::string number;
  std::string folder;     // around the student's folder; one per assignment: "assignment1/"
  bool has_file = false;  // of a lab that was graded
};
// One per lab whose path is in a Moodle export. If there is none, the student's id, provided that
// it is a number and no path is from Canvas.
[[nodiscard]] std::vector<MoodleNumber> moodle_numbers(const Graded& graded);

// A folder for `moodle-feedback`: "ada_12345_assignfeedback_file_". Moodle splits it at '_' and
// reads the number, the kind of plugin and its name (mod/assign/feedback/file/importziplib.php,
// is_valid_filename_for_import).
[[nodiscard]] std::string moodle_folder(const batch::Student& student, const std::string& number);

// A file of a Canvas export: "lovelaceada_LATE_4711_815_01-race.cu". Canvas finds the student and
// the submitted file by the first two parts that are numbers (infer_comment_context_from_filename
// in app/models/abstract_assignment.rb).
struct CanvasFile {
  std::string name;
  std::vector<std::size_t> marks;  // indices in Graded::marks
};
// Labs without a file are added to the first file. Empty if no file is known.
[[nodiscard]] std::vector<CanvasFile> canvas_files(const Graded& graded);

// True if all words of one name are in the other, in any order: "Lovelace, Ada" and "Ada Lovelace".
[[nodiscard]] bool may_be_one_person(const std::string& one, const std::string& other);

}  // namespace histolab::formats
