// Schemes: parses the file names in the exports of learning platforms. Pure functions of a name.
//
//   Moodle, "download in folders":  Ada Lovelace_12345_assignsubmission_file_/...
//   Moodle, without folders:        Ada Lovelace_12345_assignsubmission_file_01-race.cu
//     (`onlinetext` instead of `file` for typed text)
//   Canvas:                         lovelaceada_LATE_4711_815_01-race-1.cu
//     (name, user, submission, file; -1 for a resubmission)
//   Gradescope (gradescope.h):      submission_815/..., and submission_metadata.yml
//   a file per student:             ada_01-race.cu
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace histolab::batch {

struct MoodleName {
  std::string name;         // "Ada Lovelace"
  std::string participant;  // "12345", only valid in this assignment
  bool online_text = false;
  std::string file;  // "01-race.cu"; empty for a folder
};
[[nodiscard]] std::optional<MoodleName> moodle_name(const std::string& text);

struct CanvasName {
  std::string name;  // "lovelaceada"
  bool late = false;
  std::string user;              // "4711"
  std::uint64_t submission = 0;  // later ones are greater
  std::string file;              // "01-race-1.cu", as Canvas changed it
};
[[nodiscard]] std::optional<CanvasName> canvas_name(const std::string& text);

// Returns the number of a resubmission: 2 for "01-race-2.cu" and `as` "01-race.cu", 0 for
// "01-race.cu" itself. Returns nullopt for another file.
[[nodiscard]] std::optional<std::uint64_t> resubmission_number(const std::string& file,
                                                               const std::string& as);

// Returns "ada" for "ada_01-race.cu" and the ending "01-race.cu"; the separator may be '_', '-',
// '.' or ' '. Returns nullopt if the name does not have this form.
[[nodiscard]] std::optional<std::string> student_before(const std::string& file,
                                                        const std::string& ending);

// Returns the text of an HTML page from a learning platform's editor: without tags, with newlines
// for paragraphs and breaks, and with characters for entities.
[[nodiscard]] std::string text_of_page(const std::string& html);

}  // namespace histolab::batch
