#include "grader/cli/stream_watch.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace histolab::cli {

using namespace std::chrono_literals;

namespace {

constexpr auto tick = 34ms;                             // less than 30 times a second
constexpr std::uint64_t most = std::uint64_t{1} << 53;  // every JSON reader stores it exactly

}  // namespace

void StreamWatch::launch_begins(Launch launch) {
  {
    const std::lock_guard lock{mutex_};
    launch_.emplace(std::move(launch));
    begun_ = Clock::now();
    last_reported_ = {};
    ending_ = false;
    keep_pace();
  }
  thread_ = std::thread([this] { watch(); });
}

grader::StreamProgress StreamWatch::launch_ended() {
  {
    const std::lock_guard lock{mutex_};
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::lock_guard lock{mutex_};
  if (!launch_) return {};
  grader::StreamProgress last = std::move(last_reported_);
  const kernels::Live::Progress progress = launch_->live->progress();
  launch_->read.update(launch_->live->bytes_read());
  last.run = launch_->run;
  last.paused = false;
  last.steps = std::min(progress.steps, most);
  last.blocks = std::min<std::uint64_t>(progress.blocks, launch_->grid);
  last.elements_read = launch_->read.elements();
  last.of_read = launch_->read.histogram();
  last.elapsed_s = now_s();
  launch_.reset();
  pace_.launch_ended();
  return last;
}

void StreamWatch::watch() {
  for (Clock::time_point next = Clock::now();; next = Clock::now() + tick) {
    std::unique_lock lock{mutex_};
    changed_.wait_until(lock, next, [&] { return ending_; });
    if (ending_) return;
    keep_pace();
    const std::optional<grader::StreamProgress> seen = new_progress();
    lock.unlock();
    if (seen) report_(*seen);
  }
}

// The progress since the last call. Returns nullopt if there is nothing new, or nothing that may be
// shown.
std::optional<grader::StreamProgress> StreamWatch::new_progress() {
  grader::StreamProgress now;
  const kernels::Live::Progress before = launch_->live->progress();
  now.run = launch_->run;
  now.paused = pace_.held() && before.steps >= pace_.allowed(now_s(), before.steps);
  now.steps = std::min(before.steps, most);
  now.blocks = std::min<std::uint64_t>(before.blocks, launch_->grid);
  now.elapsed_s = now_s();
  if (std::tie(now.steps, now.blocks, now.paused) ==
      std::tie(last_reported_.steps, last_reported_.blocks, last_reported_.paused))
    return std::nullopt;
  // Read the bins first. Data read after that then appear to be in flight, and no count appears to
  // come from nowhere.
  now.histogram = launch_->buffers->values();
  launch_->read.update(launch_->live->bytes_read());
  now.elements_read = launch_->read.elements();
  now.of_read = launch_->read.histogram();
  if (launch_->live->progress().looking_again) return std::nullopt;
  last_reported_ = now;
  return now;
}

void StreamWatch::keep_pace() {
  if (launch_) launch_->live->allow(pace_.allowed(now_s(), made()));
}

// Stops the launch after a known step. The launch may have read its limit just before it changed,
// and then makes one more step; hence twice.
void StreamWatch::hold() {
  if (pace_.held()) return;
  std::uint64_t rest = 0;
  for (int round = 0; launch_ && round < 2; ++round) {
    rest = made() + 1;
    launch_->live->allow(rest);
    for (const auto patience = Clock::now() + 100ms; made() < rest && Clock::now() < patience;)
      std::this_thread::sleep_for(50us);
  }
  pace_.hold_at(std::max(rest, made()));
  keep_pace();
}

void StreamWatch::pause() {
  const std::lock_guard lock{mutex_};
  hold();
}

void StreamWatch::step(std::uint64_t steps) {
  const std::lock_guard lock{mutex_};
  hold();
  pace_.step(steps);
  keep_pace();
}

void StreamWatch::go() {
  const std::lock_guard lock{mutex_};
  pace_.go(now_s(), made());
  keep_pace();
}

void StreamWatch::go_at(double steps_per_s) {
  const std::lock_guard lock{mutex_};
  pace_.go_at(steps_per_s, now_s(), made());
  keep_pace();
}

}  // namespace histolab::cli
