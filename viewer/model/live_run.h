// LiveRun: the launch that is on screen, put together from a stream's events.
//
// A plain value: events go in, and what panels draw is read off. Numbers of a stream may be of any
// size and shape; `bars` has one entry for each bin that the launch's begin announced, whatever
// came later.
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
  double expected = 0;  // when all is done
  double pending =
      0;  // read by the kernel and not in the bin: in a private copy, in a register, or lost
  double lost = 0;     // of a launch that has ended: what is missing
  double surplus = 0;  // counted beyond what is there to count
};

class LiveRun {
 public:
  // idle: nothing has come yet. cut_off: the stream ended in the middle of a launch.
  enum class Phase { idle, running, paused, done, failed, cut_off };

  void apply(const Event& event);
  void stream_ended();

  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] const Begin& begin() const { return begin_; }
  [[nodiscard]] const Progress& progress() const { return progress_; }
  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }
  [[nodiscard]] const std::optional<RunSummary>& result() const { return result_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t strays() const { return strays_; }  // lines that were no events
  [[nodiscard]] std::uint64_t launches() const { return launches_; }

  [[nodiscard]] std::vector<Bar> bars() const;
  [[nodiscard]] double fraction_read() const;  // of the elements, 0 to 1
  // What to say about the launch in one line, for a person.
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
// Digits in groups of three: "40 467".
[[nodiscard]] std::string grouped_count(double count);
[[nodiscard]] Totals totals(const std::vector<Bar>& bars);

}  // namespace histolab::viewer
