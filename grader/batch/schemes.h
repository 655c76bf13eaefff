// Schemes: how learning platforms name what they export, as pure functions of a name.
//
//   Moodle      Ada Lovelace_12345_assignsubmission_file_/...         a folder a student ("download
//   in folders"), or without it
//               Ada Lovelace_12345_assignsubmission_file_01-race.cu   files side by side;
//               onlinetext instead of file for what was typed
//   Canvas      lovelaceada_LATE_4711_815_01-race-1.cu                last and first name, user,
//   submission, file; -1: handed in again Gradescope  submission_815/..., and
//   submission_metadata.yml       (gradescope.h) one file    ada_01-race.cu
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace histolab::batch {

struct MoodleName {
  std::string name;         // "Ada Lovelace"
  std::string participant;  // "12345", of this assignment alone
  bool online_text = false;
  std::string file;  // "01-race.cu"; empty of a folder
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

// "01-race-2.cu" handed in as "01-race.cu": its number, 2; 0 of "01-race.cu" itself. nullopt:
// another file.
[[nodiscard]] std::optional<std::uint64_t> handed_in_again(const std::string& file,
                                                           const std::string& as);

// "ada_01-race.cu" (or with '-', '.' or ' ') is of "ada". nullopt: `ending` ("01-race.cu") does not
// end it so.
[[nodiscard]] std::optional<std::string> student_before(const std::string& file,
                                                        const std::string& ending);

// The text of a page that a learning platform's editor made: tags gone, paragraphs and breaks as
// newlines, entities as characters.
[[nodiscard]] std::string text_of_page(const std::string& html);

}  // namespace histolab::batch
