// Comparison: two launches side by side. Their results first, then their times, what they did
// differently, and one sentence.
//
// A time is measured (both ran on a GPU) or modelled (both on the emulator), and the sentence says
// which. Launches that are wrong or did not end are never called faster; times that differ by less
// than they are known to are called alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/feedback/text.h"
#include "grader/report/report.h"

namespace histolab::grader {

struct ComparedLaunch {
  std::string label;  // what the sentence calls it: "02", "solution", "hot:50"
  RunReport run;
};

// Labels that tell the two apart, by what differs: the data, the lab, the kernel; "A" and "B" where
// nothing does.
[[nodiscard]] std::pair<std::string, std::string> labels_of(const RunReport& a, const RunReport& b);

struct ComparedTime {
  bool measured = false;
  std::string device;  // "NVIDIA H200"
  double a_ms = 0, b_ms = 0;
  // modelled: the ratio is within the model's typical error; measured: the 95 % intervals overlap.
  bool alike = false;

  [[nodiscard]] double ratio() const;  // of the longer to the shorter, 1 or more
};

struct ComparedCounter {
  std::string_view name, title, unit;
  double a = 0, b = 0;
  [[nodiscard]] std::optional<double> ratio()
      const;  // of the larger to the smaller; nullopt: the smaller is 0
};

struct Comparison {
  ComparedLaunch a, b;
  std::optional<ComparedTime> time;
  std::string time_reason;                // why there is no time; empty when there is
  std::vector<ComparedCounter> counters;  // those that differ, the most different first
  std::string sentence;
};

[[nodiscard]] Comparison compared(ComparedLaunch a, ComparedLaunch b);

// histolab/compare/1: docs/compare.schema.json.
[[nodiscard]] std::string to_json(const Comparison& comparison);
[[nodiscard]] std::string to_text(const Comparison& comparison, const TextOptions& options);

}  // namespace histolab::grader
