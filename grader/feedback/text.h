// Reports for a terminal: at most 80 columns, in colour only on request.
#pragma once

#include <string>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct TextOptions {
  bool color = false;
  bool next_steps = true;  // "next: ..." lines; off for solutions and other people's submissions
  std::string program = "histolab";  // the command's name, with the labs' folder
  // Options of `grade` that its next call needs too: " --seed 7".
  std::string options = {};
  std::string report_path;  // the report's path; empty to omit it
  std::size_t width = 80;   // columns of a listing; everything else keeps to 80
  bool counters = true;     // for a run: counters and occupancy
};

// The checks that this kit cannot judge, each with its reason, indented. Empty if it can judge all.
[[nodiscard]] std::string left_out_text(const LabResult& lab, std::size_t columns);

// The table. Then, for each lab that did not pass: its first failing check, the source line, and a
// suggestion.
[[nodiscard]] std::string to_text(const Report& report, const TextOptions& options);

// Histogram with bars, counters by title, findings with their lines. `source` is the kernel's text.
[[nodiscard]] std::string to_text(const RunReport& run, const LabSpec& lab,
                                  const std::string& source, const TextOptions& options);

}  // namespace histolab::grader
