// ComparisonView: the content of the panel "Compare", two launches side by side. It is read from
// `histolab compare --json` (docs/compare.schema.json). CompareChoice is the command's input.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/catalogue.h"
#include "viewer/model/launch_choice.h"
#include "viewer/model/run_summary.h"

namespace histolab::viewer {

// Two kernels on one dataset, or one kernel on two datasets. The command allows only one
// difference.
struct CompareChoice {
  LaunchChoice a, b;

  [[nodiscard]] bool same_kernel() const { return a.lab == b.lab && a.kernel == b.kernel; }
  // Call this after one side was changed. Changes the other side if the two would differ in more
  // than the command allows.
  void settle(bool changed_a);
};

// The initial comparison: the solutions that count in global and in shared memory, on data of a
// single letter.
[[nodiscard]] CompareChoice usual_comparison(const Catalogue& catalogue);
// Parses "04", "04=no-zeroing" or "04=mine.cu". A lab alone selects its solution. A student edition
// has no solutions; there it selects the student's own kernel.
void choose_kernel(LaunchChoice& choice, const std::string& words, const Catalogue& catalogue);
// Parses "constant", or "hot:0,hot:100" for the two sides.
void choose_datasets(CompareChoice& choice, const std::string& words);
// The arguments after the program's name.
[[nodiscard]] std::vector<std::string> compare_command(const CompareChoice& choice);

struct ComparisonView {
  struct Side {
    std::string label;  // its name in `sentence`: "02"
    RunSummary run;
  };
  struct Time {
    bool measured = false, alike = false;
    std::string device;
    double a_ms = 0, b_ms = 0, ratio = 1;  // ratio: longer to shorter time
  };
  struct Counter {
    std::string name, title, unit;
    double a = 0, b = 0;
    std::optional<double> ratio;  // larger to smaller value; nullopt if the smaller is 0
  };
  Side a, b;
  std::optional<Time> time;
  std::string time_reason, sentence;
  std::vector<Counter> counters;  // the largest difference first

  [[nodiscard]] bool right() const { return a.run.correct && b.run.correct; }
  // Returns "B is 11.3x faster", or which side is wrong.
  [[nodiscard]] std::string headline() const;
  // Returns the problem of each wrong side: "A: the histogram is wrong: 12 345 updates lost".
  [[nodiscard]] std::vector<std::string> problems() const;
  // Returns the ratio of B to A on a logarithmic scale, relative to the largest ratio of all
  // counters: -1 (A has more) to 1 (B has more).
  [[nodiscard]] double lean(const Counter& counter) const;
};

// Returns nullopt if `json` is not a comparison.
[[nodiscard]] std::optional<ComparisonView> comparison_in(const nlohmann::json& json);

// Returns "11.3x" or "1 024x", or "-" without a ratio.
[[nodiscard]] std::string ratio_text(const std::optional<double>& ratio);

}  // namespace histolab::viewer
