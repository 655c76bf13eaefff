// Comparison: two launches side by side, with their results, times, differences and one sentence.
//
// A time is measured (both ran on a GPU) or modelled (both on the emulator), and the sentence says
// which. A launch that is wrong or did not end is never called faster. A launch of a whole program
// has no known result: it counts as right if nothing was found in it. Times are called alike if
// they differ by less than their uncertainty.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/feedback/text.h"
#include "grader/report/report.h"

namespace histolab::grader {

// The launch of a whole program. Its RunReport has no lab and no data.
struct ComparedProgram {
  std::uint64_t number = 0;  // of the launch, from 1
  std::string text;          // "count<<<2, 64>>> at main.cu:14"
  std::string kernel;
  kernels::Dim3 grid, block;
  std::string file;  // of the launch, and its line
  int line = 0;
};

struct ComparedLaunch {
  std::string label;  // its name in the sentence: "02", "solution", "hot:50"
  RunReport run;
  std::optional<ComparedProgram> program = {};

  // "is right", or what is known of a program's launch.
  [[nodiscard]] std::string_view praise() const { return program ? "has no finding" : "is right"; }
};

// Returns different labels for the two runs, made from the data, the lab or the kernel. Returns "A"
// and "B" if none of these differs.
[[nodiscard]] std::pair<std::string, std::string> labels_of(const RunReport& a, const RunReport& b);

struct ComparedTime {
  bool measured = false;
  std::string device;  // "NVIDIA H200"
  double a_ms = 0, b_ms = 0;
  // Modelled: the ratio is within the model's typical error. Measured: the 95 % intervals overlap.
  bool alike = false;

  [[nodiscard]] double ratio() const;  // longer / shorter, 1 or more
};

struct ComparedCounter {
  std::string_view name, title, unit;
  double a = 0, b = 0;
  // larger / smaller; nullopt if the smaller is 0
  [[nodiscard]] std::optional<double> ratio() const;
};

struct Comparison {
  ComparedLaunch a, b;
  std::optional<ComparedTime> time;
  std::string time_reason;                // reason for a missing time; else empty
  std::vector<ComparedCounter> counters;  // different ones, the largest ratio first
  std::string sentence;
};

[[nodiscard]] Comparison compared(ComparedLaunch a, ComparedLaunch b);

// histolab/compare/1: docs/compare.schema.json.
[[nodiscard]] std::string to_json(const Comparison& comparison);
[[nodiscard]] std::string to_text(const Comparison& comparison, const TextOptions& options);

}  // namespace histolab::grader
