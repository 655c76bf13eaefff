// Screen: the text that `histolab watch` shows. It is a pure function of a View. The caller clears
// the terminal, or not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct View {
  const LabSpec* lab = nullptr;   // the watched lab
  const LabSpec* next = nullptr;  // the lab after it; null after the last lab
  std::string path;               // the student's file
  bool just_started = false;      // the file is the unchanged stub
  // Why there is nothing to grade: the file is missing, empty or unreadable.
  std::string problem;
  // The result for the last save; nullopt while it is being graded.
  std::optional<LabResult> result;
  bool quick = false;     // `result` covers only the quick cases
  bool running = false;   // the other cases are running
  double elapsed_ms = 0;  // from the save to `result`, in milliseconds
  std::size_t labs = 0, labs_passed = 0;
  int points = 0, max_points = 0;  // over all labs, the best so far
  // The answer to a key, or why it failed. Ends with a newline.
  std::string note;
};

struct ScreenOptions {
  std::size_t width = 80;
  bool color = false;
  bool keys = true;  // the user can press keys
};

[[nodiscard]] std::string to_text(const View& view, const ScreenOptions& options);

// For a terminal that cannot be cleared: only the verdict, printed below the previous one.
[[nodiscard]] std::string verdict_text(const View& view, const ScreenOptions& options);

}  // namespace histolab::grader
