// RunSummary: the result of one launch, reduced to what the viewer draws. It is read from a
// `histolab/run/1` object (docs/run.schema.json).
//
// Reading never fails. A field that is missing or has another type keeps its default value, so a
// stream of another version is drawn as far as it is understood.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace histolab::viewer {

using Counters = std::map<std::string, double>;

struct Finding {
  std::string kind, severity, variable, message;
  int line = 0, other_line = 0;
  double count = 0;
  std::string file = {}, other_file = {};  // empty for the one file of a lab's kernel
};

struct Diagnostic {
  std::string severity, message;
  int line = 0;
  std::string file = {};
};

struct LineCounters {
  int line = 0;
  Counters counters;
  std::string file = {};
};

// The model's prediction for a launch on a GPU; never a measurement.
struct Modelled {
  std::string profile, bound_by;
  double median_ms = 0, typical_error = 1;
};

// Measured on a GPU.
struct Measured {
  double median_ms = 0;
  std::vector<double> samples_ms;
};

struct RunSummary {
  // For a whole program. A status or signal of -1 is unknown.
  std::string program, title;
  int exit_status = -1, signal = -1;
  std::string lab, kernel, dataset, device_kind, device_name, ending, ending_detail;
  std::uint64_t length = 0, grid = 0;
  std::uint32_t block = 0;
  bool correct = false;
  Counters counters;
  std::vector<LineCounters> lines;
  std::vector<Finding> findings;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::uint64_t> histogram;
  std::optional<Modelled> modelled;
  std::optional<Measured> measured;

  [[nodiscard]] bool compiled() const {
    return ending != "compile_error" && ending != "refused" && !ending.empty();
  }
  [[nodiscard]] double counter(const std::string& name) const;  // 0 if missing
  // The measured time if there is one, else the modelled time, else 0.
  [[nodiscard]] double milliseconds() const;
  [[nodiscard]] const LineCounters* at_line(int line) const;
  // The same, with lines of one file of a program. Findings and diagnostics of other files name
  // their place in the message. They have no line, except that of a finding's other access.
  [[nodiscard]] RunSummary in_file(const std::string& file) const;
};

[[nodiscard]] RunSummary run_summary(const nlohmann::json& report);

}  // namespace histolab::viewer
