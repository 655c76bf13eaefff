// SourceView: a kernel's text with annotations per line: the counters that `histolab explain`
// prints in the margin, and remarks from the compiler, the launch and the grader.
//
// Lines count from 1 and are split by `grader::flat`. Remarks and counters of a line that the text
// does not have belong to no line.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/cuda_tokens.h"
#include "viewer/model/run_summary.h"
#include "viewer/model/verdict.h"

namespace histolab::viewer {

inline constexpr std::size_t margin_columns = 5;
struct MarginColumn {
  const char* title;  // "sect"
  const char* meaning;
  std::vector<std::string_view> counters;  // names of the counters it is computed from
};
[[nodiscard]] const std::array<MarginColumn, margin_columns>& margin();

struct Remark {
  bool error = false;  // else a note
  std::string text;
  bool operator==(const Remark&) const = default;
};

struct SourceLine {
  std::string text;
  std::vector<Token> tokens;
  std::array<std::string, margin_columns> cells;  // empty if a column does not apply
  std::string barriers;         // number of warps that arrived at a barrier, or empty
  float share = 0;              // requests relative to the busiest line, 0 to 1
  std::vector<Remark> remarks;  // errors first
  [[nodiscard]] bool wrong() const { return !remarks.empty() && remarks.front().error; }
};

class SourceView {
 public:
  void set_text(const std::string& text);
  // Adds the launch's counters, and the findings of the launch and the grader. Both arguments may
  // be nullptr.
  void annotate(const RunSummary* run, const Verdict* verdict);

  [[nodiscard]] const std::vector<SourceLine>& lines() const { return lines_; }
  // Remarks without a line.
  [[nodiscard]] const std::vector<Remark>& elsewhere() const { return elsewhere_; }
  // Whether any line has a value in that column.
  [[nodiscard]] bool has_column(std::size_t column) const { return columns_.at(column); }

 private:
  void remark(int line, Remark remark);
  void remark(const std::vector<Diagnostic>& diagnostics);
  void remark(const Finding& finding);

  std::vector<SourceLine> lines_;
  std::vector<Remark> elsewhere_;
  std::array<bool, margin_columns> columns_{};
};

// One counter for display. `name` is Nsight Compute's name if it has one, else histolab's.
struct NamedCounter {
  std::string name, title, value;  // value includes its unit
};
// Returns the nonzero counters named in `wanted`, or all nonzero counters if `wanted` is empty.
[[nodiscard]] std::vector<NamedCounter> named_counters(
    const Counters& counters, const std::vector<std::string_view>& wanted = {});

}  // namespace histolab::viewer
