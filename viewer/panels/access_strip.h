// AccessStrip: the accesses of one warp over time, one per row: the line, the 32 lanes, and the
// cost if there is room.
//
// The first access is on top. Only visible rows are drawn.
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
  // The row and lane under the mouse, as indices into `rows`.
  struct Touched {
    struct Lane {
      std::size_t place = 0;
      std::uint32_t lane = 0;
    };
    std::optional<std::size_t> chosen;
    std::optional<Lane> lane;
  };

  // Sets the accesses to show, as rows of the log. `log` and `rows` must outlive the drawing.
  void show(const AccessLog& log, const std::vector<std::size_t>& rows);
  // `follow` scrolls to the selected access.
  Touched draw(std::size_t selected, bool wide, bool follow) const;

 private:
  // A cost that no access of this warp has gets no column.
  struct Cost {
    const char* name;
    std::uint32_t Access::*number;
  };
  static const Cost all_costs[3];
  // Positions of the columns.
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
