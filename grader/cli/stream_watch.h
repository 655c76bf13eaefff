// StreamWatch: observes launches, one after another. It reports their progress when it changes, at
// most 30 times a second, and keeps them to the requested pace.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "grader/lab/launch_buffers.h"
#include "grader/stream/pace.h"
#include "grader/stream/read_so_far.h"
#include "grader/stream/stream.h"
#include "kernels/live.h"
#include "reference/seconds_since.h"

namespace histolab::cli {

class StreamWatch {
 public:
  // `report` is called from the watch's own thread while a launch runs.
  explicit StreamWatch(std::function<void(const grader::StreamProgress&)> report)
      : report_(std::move(report)) {}
  StreamWatch(const StreamWatch&) = delete;
  StreamWatch& operator=(const StreamWatch&) = delete;
  ~StreamWatch() { launch_ended(); }

  // ---- one launch; borrowed objects must stay valid until launch_ended() ----
  struct Launch {
    std::uint64_t run = 1;
    std::uint32_t grid = 1;
    kernels::Live* live = nullptr;
    grader::ReadSoFar read;
    const grader::LaunchBuffers* buffers = nullptr;
  };
  void launch_begins(Launch launch);
  // Returns the final progress, without the bins: the launch's report has them.
  grader::StreamProgress launch_ended();

  // ---- from any thread; before a launch, they apply to the next one ----
  void pause();
  void step(std::uint64_t steps);
  void go();
  void go_at(double steps_per_s);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  [[nodiscard]] std::optional<grader::StreamProgress> new_progress();
  [[nodiscard]] double now_s() const { return histolab::reference::seconds_since(begun_); }
  [[nodiscard]] std::uint64_t made() const { return launch_ ? launch_->live->progress().steps : 0; }
  void hold();
  void keep_pace();

  std::function<void(const grader::StreamProgress&)> report_;
  std::mutex mutex_;  // protects everything below except the thread
  std::condition_variable changed_;
  grader::Pace pace_;
  std::optional<Launch> launch_;
  Clock::time_point begun_ = Clock::now();
  grader::StreamProgress last_reported_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace histolab::cli
