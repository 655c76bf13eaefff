// StreamWatch: looks on while launches run, one after another: tells how far each is, at most 30
// times a second and only when there is something new, and keeps it to the pace that somebody asks
// for.
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
  // `tell` is called from a thread of the watch's own while a launch runs.
  explicit StreamWatch(std::function<void(const grader::StreamProgress&)> tell)
      : tell_(std::move(tell)) {}
  StreamWatch(const StreamWatch&) = delete;
  StreamWatch& operator=(const StreamWatch&) = delete;
  ~StreamWatch() { launch_ended(); }

  // ---- of one launch; what is borrowed stays until launch_ended() ----
  struct Launch {
    std::uint64_t run = 1;
    std::uint32_t grid = 1;
    kernels::Live* live = nullptr;
    grader::ReadSoFar read;
    const grader::LaunchBuffers* buffers = nullptr;
  };
  void launch_begins(Launch launch);
  // How far it came; what lies in the bins is left to the launch's report.
  grader::StreamProgress launch_ended();

  // ---- from any thread, before a launch too: then for the next one ----
  void pause();
  void step(std::uint64_t steps);
  void go();
  void go_at(double steps_per_s);

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  [[nodiscard]] std::optional<grader::StreamProgress> look();
  [[nodiscard]] double now_s() const { return histolab::reference::seconds_since(begun_); }
  [[nodiscard]] std::uint64_t made() const { return launch_ ? launch_->live->progress().steps : 0; }
  void hold();
  void keep_pace();

  std::function<void(const grader::StreamProgress&)> tell_;
  std::mutex mutex_;  // of all below but the thread
  std::condition_variable changed_;
  grader::Pace pace_;
  std::optional<Launch> launch_;
  Clock::time_point begun_ = Clock::now();
  grader::StreamProgress told_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace histolab::cli
