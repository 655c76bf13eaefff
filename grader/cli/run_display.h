// Shows a running program: its output, a line of progress during long launches, and after Ctrl-C
// the summary of the run so far.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "kernels/cancellation.h"
#include "kernels/program/run/program_run.h"

namespace histolab::cli {

// Shows the running launch on the last line of a terminal if nothing was printed for two seconds.
// Shows nothing without a terminal. Thread-safe.
class LaunchProgress {
 public:
  LaunchProgress();
  // A launch begins.
  void begin(std::uint64_t number, const kernels::program::ReportedLaunch& launch);
  // Removes the line: something is about to be printed, or the run is over.
  void clear();

 private:
  void show_until(const std::stop_token& over);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string launch_;
  std::chrono::steady_clock::time_point began_, quiet_since_;
  bool is_shown_ = false;
  std::jthread thread_;
};

// During its life, Ctrl-C stops a run first, waits for a text, and prints it.
class LastWords {
 public:
  LastWords();
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  [[nodiscard]] const kernels::Cancellation& stop() const { return stop_; }
  void give(std::string text);

 private:
  void stop_and_print();

  kernels::Cancellation stop_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::string text_;
};

}  // namespace histolab::cli
