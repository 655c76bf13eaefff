// Screen: what `histolab watch` shows, as text. A pure function of a View; who draws it clears the
// terminal or does not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "grader/lab/lab.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct View {
  const LabSpec* lab = nullptr;   // the one that is watched
  const LabSpec* next = nullptr;  // the one behind it; null: it is the last one
  std::string path;               // of the student's file
  bool just_started = false;      // the file is the stub, new
  std::string problem;  // why there is nothing to grade: the file is gone, empty, unreadable
  std::optional<LabResult> result;  // of what was saved last; nullopt: it is being graded
  bool quick = false;               // of the quick cases only
  bool running = false;             // the other cases are being run
  double elapsed_ms = 0;            // from the save to `result`
  std::size_t labs = 0, labs_passed = 0;
  int points = 0, max_points = 0;  // of all labs, the best so far
  std::string note;  // what a key asked for, or what could not be done; ends with a newline
};

struct ScreenOptions {
  std::size_t width = 80;
  bool color = false;
  bool keys = true;  // somebody can press them
};

[[nodiscard]] std::string to_text(const View& view, const ScreenOptions& options);

// Of a terminal that cannot be cleared: the verdict alone, to stand below the last one.
[[nodiscard]] std::string verdict_text(const View& view, const ScreenOptions& options);

}  // namespace histolab::grader
