// Reports for a person at a terminal: at most 80 columns, colour only where it is asked for.
#pragma once

#include <string>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct TextOptions {
  bool color = false;
  bool next_steps = true;  // "next: ..." lines; off for solutions and other people's submissions
  std::string program = "histolab";  // how it was called, with the labs' folder
  std::string options = {};          // of `grade`, that its next call needs as well: " --seed 7"
  std::string report_path;           // where the report lies; empty: not said
  std::size_t width = 80;            // columns of a listing; everything else keeps to 80
  bool counters = true;              // of a run: what was counted, and occupancy
};

// The checks that this kit cannot judge, each with its reason, indented; empty: it judges all.
[[nodiscard]] std::string left_out_text(const LabResult& lab, std::size_t columns);

// The table, then for each lab that did not pass: its first failing check, the source line, what to
// try.
[[nodiscard]] std::string to_text(const Report& report, const TextOptions& options);

// Histogram with bars, counters by title, findings with their lines. `source` is the kernel's text.
[[nodiscard]] std::string to_text(const RunReport& run, const LabSpec& lab,
                                  const std::string& source, const TextOptions& options);

}  // namespace histolab::grader
