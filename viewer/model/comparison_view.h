// What the panel "Compare" shows: two launches side by side, as `histolab compare --json` gives
// them (docs/compare.schema.json), and how it is asked for.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/catalogue.h"
#include "viewer/model/launch_choice.h"
#include "viewer/model/run_summary.h"

namespace histolab::viewer {

// Two kernels on one dataset, or one kernel on two: the command compares in one thing at a time.
struct CompareChoice {
  LaunchChoice a, b;

  [[nodiscard]] bool same_kernel() const { return a.lab == b.lab && a.kernel == b.kernel; }
  // After one side was changed: the other follows where the two would differ in more than the
  // command takes.
  void settle(bool changed_a);
};

// The solutions that count in global and in shared memory, on data that is one letter.
[[nodiscard]] CompareChoice usual_comparison(const Catalogue& catalogue);
// Takes "04", "04=no-zeroing" or "04=mine.cu". A lab alone means its solution; in a
// student edition, which has none, the student's own kernel.
void choose_kernel(LaunchChoice& choice, const std::string& words, const Catalogue& catalogue);
// "constant", or "hot:0,hot:100" for the two sides.
void choose_datasets(CompareChoice& choice, const std::string& words);
// The words after the program's name.
[[nodiscard]] std::vector<std::string> compare_command(const CompareChoice& choice);

struct ComparisonView {
  struct Side {
    std::string label;  // "02": as the sentence calls it
    RunSummary run;
  };
  struct Time {
    bool measured = false, alike = false;
    std::string device;
    double a_ms = 0, b_ms = 0, ratio = 1;  // the ratio is of the longer to the shorter
  };
  struct Counter {
    std::string name, title, unit;
    double a = 0, b = 0;
    std::optional<double> ratio;  // of the larger to the smaller; nullopt: the smaller is 0
  };
  Side a, b;
  std::optional<Time> time;
  std::string time_reason, sentence;
  std::vector<Counter> counters;  // the most different first

  [[nodiscard]] bool right() const { return a.run.correct && b.run.correct; }
  // "B is 11.3x faster"; of wrong results it says so instead.
  [[nodiscard]] std::string headline() const;
  // What is wrong with each side: "A: 12 345 updates are lost"; empty where nothing is.
  [[nodiscard]] std::vector<std::string> problems() const;
  // How far B is from A, of the most that there is: -1 (A has more) to 1 (B has more), by
  // logarithm.
  [[nodiscard]] double lean(const Counter& counter) const;
};

// nullopt: it is something else.
[[nodiscard]] std::optional<ComparisonView> comparison_in(const nlohmann::json& json);

// "11.3x", "1 024x"; "-" where there is none.
[[nodiscard]] std::string ratio_text(const std::optional<double>& ratio);

}  // namespace histolab::viewer
