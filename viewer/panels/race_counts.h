// RaceCounts: counts all interleavings of a race: how many lose an update, and their final values.
//
// Counting takes up to a second, so a background thread does it, once per shape.
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

  std::optional<reference::Increments> shape_;  // the requested one
  std::optional<Later<Result<grader::RaceReport>>> counting_;
  std::optional<Result<grader::RaceReport>> counted_;
  std::vector<Bars> bars_;  // one per way of counting
  std::vector<double> ticks_;
  std::string sentence_, axis_;
};

}  // namespace histolab::viewer
