// SourceView: a kernel's text with what there is to say of each line: what the launch counted
// there, as `histolab explain` has it in the margin, and the remarks of compiler, launch and
// grader.
//
// Lines count from 1 and are as `grader::flat` has them. Numbers of a line that is none of the
// text's belong to no line.
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
  std::vector<std::string_view> counters;  // the names that it is made of
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
  std::array<std::string, margin_columns> cells;  // empty where a column does not apply
  std::string barriers;                           // warps that arrived at a barrier; empty: none
  float share = 0;              // of the busiest line's requests to memory, 0 to 1
  std::vector<Remark> remarks;  // errors first
  [[nodiscard]] bool wrong() const { return !remarks.empty() && remarks.front().error; }
};

class SourceView {
 public:
  void set_text(const std::string& text);
  // What the launch counted in this text, and what it and the grader found; nullptr: nothing is
  // known.
  void annotate(const RunSummary* run, const Verdict* verdict);

  [[nodiscard]] const std::vector<SourceLine>& lines() const { return lines_; }
  [[nodiscard]] const std::vector<Remark>& elsewhere() const { return elsewhere_; }  // of no line
  // Whether some line has something in that column.
  [[nodiscard]] bool has_column(std::size_t column) const { return columns_.at(column); }

 private:
  void remark(int line, Remark remark);
  void remark(const std::vector<Diagnostic>& diagnostics);
  void remark(const Finding& finding);

  std::vector<SourceLine> lines_;
  std::vector<Remark> elsewhere_;
  std::array<bool, margin_columns> columns_{};
};

// One counter for a person, with the name that Nsight Compute, or else histolab, has for it.
struct NamedCounter {
  std::string name, title, value;  // value: with its unit
};
// Those of the line whose names `wanted` has; all of them where it has none. What is 0 is left out.
[[nodiscard]] std::vector<NamedCounter> named_counters(
    const Counters& counters, const std::vector<std::string_view>& wanted = {});

}  // namespace histolab::viewer
