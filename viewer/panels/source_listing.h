// SourceListing: how a SourceView is drawn: line numbers, margin, code in colours, and remarks
// under their lines.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "viewer/model/source_view.h"

namespace histolab::viewer {

class SourceListing {
 public:
  // Fills what is left of the window. `counted`: what the tooltips tell of, or nullptr. A click
  // selects a line, or none (0).
  void draw(const SourceView& view, const RunSummary* counted, int& selected);
  void text_changed() { opened_.clear(), remarks_changed(); }
  void remarks_changed() { rows_.clear(); }
  // Scrolls to the selected line where it is out of sight.
  void show_selected() { scrolled_to_ = 0; }

 private:
  // One row of the screen: a piece of a line of code, or of a remark on it.
  struct Row {
    int line = 0;     // from 1; 0: of no line
    int remark = -1;  // of the line; -1: code
    std::size_t begin = 0, end = 0, indent = 0;
    bool first = true;
    bool cut = false;  // a click shows the rest
  };
  // Where things stand in a row, in points from its left; a cell of the margin is five characters
  // wide.
  struct Columns {
    float character = 8, row = 16;
    float number = 0, cells = 0, heat = 0, code = 0, width = 0;
    std::vector<std::size_t> shown;  // of the margin
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

  std::vector<Row> rows_;  // empty: to be arranged
  Columns columns_;
  std::set<std::pair<int, int>> opened_;  // remarks, by line and place, that are shown whole
  bool toggled_ = false;
  int scrolled_to_ = 0;
  float height_ = 0;
};

}  // namespace histolab::viewer
