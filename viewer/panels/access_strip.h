// AccessStrip: the accesses of one warp over time, a row each: its line, its 32 lanes, and what it
// cost where there is room.
//
// Rows go downwards, the first access on top; only those in sight are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imgui.h"
#include "viewer/model/access_log.h"

namespace histolab::viewer {

class AccessStrip {
 public:
  // What the mouse is at; places are those of `rows`.
  struct Touched {
    struct Lane {
      std::size_t place = 0;
      std::uint32_t lane = 0;
    };
    std::optional<std::size_t> chosen;
    std::optional<Lane> lane;
  };

  // The accesses that are shown, by their rows in the log, which outlive what is drawn of them.
  void show(const AccessLog& log, const std::vector<std::size_t>& rows);
  // `follow`: brings the selected one into sight.
  Touched draw(std::size_t selected, bool wide, bool follow) const;

 private:
  // Of what no access of this warp has, there is no column.
  struct Cost {
    const char* name;
    std::uint32_t Access::*number;
  };
  static const Cost all_costs[3];
  // Where the columns are.
  struct Columns {
    float cells = 0, cell = 4, numbers = 0;
    std::span<const Cost> costs;
  };
  [[nodiscard]] Columns columns(bool wide) const;
  [[nodiscard]] static float width_of(const Cost& cost);
  static void header(const Columns& at);
  [[nodiscard]] const Access& access(std::size_t place) const { return log_->rows()[rows_[place]]; }
  void row(std::size_t place, bool selected, ImVec2 from, float height, const Columns& at) const;
  [[nodiscard]] Touched touched(ImVec2 from, float height, const Columns& at) const;

  const AccessLog* log_ = nullptr;
  std::span<const std::size_t> rows_;
  std::vector<Cost> costs_;
};

}  // namespace histolab::viewer
