// SourceListing: draws a SourceView: line numbers, margin, coloured code, and remarks below their
// lines.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "viewer/model/source_view.h"

namespace histolab::viewer {

class SourceListing {
 public:
  // Fills the rest of the window. `counted` is the launch for the tooltips, or nullptr. A click
  // selects a line, or deselects it (0).
  void draw(const SourceView& view, const RunSummary* counted, int& selected);
  void text_changed() {
    opened_.clear();
    remarks_changed();
  }
  void remarks_changed() { rows_.clear(); }
  // Scrolls to the selected line if it is not visible.
  void show_selected() { scrolled_to_ = 0; }

 private:
  // One row of the screen: a piece of a line of code, or of a remark on it.
  struct Row {
    int line = 0;     // from 1; 0 if without a line
    int remark = -1;  // index of the line's remark; -1 for code
    std::size_t begin = 0, end = 0, indent = 0;
    bool first = true;
    bool cut = false;  // shortened; a click shows the rest
  };
  // Positions in a row, in points from its left edge. A cell of the margin is five characters wide.
  struct Columns {
    float character = 8, row = 16;
    float number = 0, cells = 0, heat = 0, code = 0, width = 0;
    std::vector<std::size_t> shown;  // visible columns of the margin
    std::size_t room = 16;           // characters of code
    bool operator==(const Columns&) const = default;
  };

  void draw_titles() const;
  [[nodiscard]] Columns columns_for(const SourceView& view) const;
  void arrange(const SourceView& view);
  void arrange_remark(int line, int remark, const std::string& text);
  [[nodiscard]] float remark_left() const { return columns_.number + columns_.character; }
  void scroll_to(int line);
  void draw_row(const SourceView& view, const RunSummary* counted, std::size_t at, int& selected);
  void draw_remark(float x, float y, const Row& row, const Remark& remark) const;
  void draw_margin(float x, float y, int number, const SourceLine& line) const;
  void draw_code(float x, float y, const Row& row, const SourceLine& line) const;
  void draw_counters(const LineCounters& counted, float x) const;

  std::vector<Row> rows_;  // empty until arranged
  Columns columns_;
  std::set<std::pair<int, int>> opened_;  // expanded remarks, by line and index
  bool toggled_ = false;
  int scrolled_to_ = 0;
  float height_ = 0;
};

}  // namespace histolab::viewer
