// LiveRun: the launch on screen, built from the events of a stream.
//
// A plain value: apply() takes events, and panels read the state. Numbers in a stream may have any
// value, and arrays any length. `bars` has exactly one entry per bin that the Begin event
// announced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/event.h"

namespace histolab::viewer {

struct Bar {
  std::string label;
  double counted = 0;   // in the bin now
  double expected = 0;  // in the bin after a correct launch
  // Elements that the kernel has read but not yet added to the bin: they are in a private copy,
  // in a register, or lost.
  double pending = 0;
  double lost = 0;     // missing after the launch has ended
  double surplus = 0;  // counted beyond `expected`
};

class LiveRun {
 public:
  // idle: no event has arrived yet. cut_off: the stream ended in the middle of a launch.
  enum class Phase { idle, running, paused, done, failed, cut_off };

  void apply(const Event& event);
  void stream_ended();

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] const Begin& begin() const { return begin_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }
  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }
  [[nodiscard]] const std::optional<RunSummary>& result() const { return result_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t strays() const { return strays_; }  // lines that are not events
  [[nodiscard]] std::uint64_t launches() const { return launches_; }

  [[nodiscard]] std::vector<Bar> bars() const;
  [[nodiscard]] double fraction_read() const;  // share of the elements, 0 to 1
  // Describes the launch in one line.
  [[nodiscard]] std::string status() const;

  static constexpr std::size_t most_accesses = 8192;

 private:
  Phase phase_ = Phase::idle;
  Begin begin_;
  Progress progress_;
  std::vector<Access> accesses_;
  std::optional<RunSummary> result_;
  std::string failure_;
  std::uint64_t strays_ = 0, launches_ = 0;
};

// Sums over the bars.
struct Totals {
  double counted = 0, expected = 0, pending = 0, lost = 0, surplus = 0;
};
// Groups digits by three: "40 467".
[[nodiscard]] std::string grouped_count(double count);
[[nodiscard]] Totals totals(const std::vector<Bar>& bars);

}  // namespace histolab::viewer
