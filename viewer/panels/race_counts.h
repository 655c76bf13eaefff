// RaceCounts: all interleavings of a race counted: how many lose an update, and with which value
// they end.
//
// Counting takes up to a second, so it is done beside the frame, once for each shape.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/race/race_report.h"
#include "imgui.h"
#include "viewer/feed/later.h"

namespace histolab::viewer {

class RaceCounts {
 public:
  void draw(const reference::Increments& shape, ImVec2 size);
  [[nodiscard]] bool busy() const { return counting_ && counting_->running(); }

 private:
  struct Bars {
    std::vector<double> right_at, right, wrong_at, wrong;  // percent of the interleavings
  };
  void ask(const reference::Increments& shape);
  void take();
  void plot(ImVec2 size);

  std::optional<reference::Increments> shape_;  // that was asked for
  std::optional<Later<Result<grader::RaceReport>>> counting_;
  std::optional<Result<grader::RaceReport>> counted_;
  std::vector<Bars> bars_;  // of each way to count
  std::vector<double> ticks_;
  std::string sentence_, axis_;
};

}  // namespace histolab::viewer
