#include "grader/cli/run_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "grader/cli/console.h"
#include "grader/cli/program_report.h"
#include "grader/cli/signals.h"
#include "grader/words/words.h"

namespace histolab::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet = 2s, between_updates = 1s;
// The program and its launch are killed at once. Findings take a moment to describe.
constexpr auto patience = 3s;

// Not by note(), which waits while a signal ends the process: a run that it stops must return.
void write_error(const std::string& text) {
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

LaunchProgress::LaunchProgress() : began_(std::chrono::steady_clock::now()), quiet_since_(began_) {
  if (isatty(STDERR_FILENO) != 0)
    thread_ = std::jthread([this](const std::stop_token& over) { show_until(over); });
}

void LaunchProgress::begin(std::uint64_t number, const kernels::program::ReportedLaunch& launch) {
  const std::lock_guard lock{mutex_};
  launch_ = fmt::format("launch {}, {}", number, grader::harmless(launch_text(launch)));
}

void LaunchProgress::clear() {
  const std::lock_guard lock{mutex_};
  if (std::exchange(is_shown_, false)) write_error("\r\x1b[K");
  quiet_since_ = std::chrono::steady_clock::now();
}

void LaunchProgress::show_until(const std::stop_token& over) {
  std::unique_lock lock{mutex_};
  while (!over.stop_requested()) {
    changed_.wait_for(lock, over, between_updates, [] { return false; });
    const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
    if (over.stop_requested() || launch_.empty() || now - quiet_since_ < quiet) continue;
    const std::string text = fmt::format(
        "{} s: {}", std::chrono::duration_cast<std::chrono::seconds>(now - began_).count(),
        launch_);
    write_error("\r\x1b[K" + text.substr(0, columns_to_use() - 1));
    is_shown_ = true;
  }
  if (std::exchange(is_shown_, false)) write_error("\r\x1b[K");
}

LastWords::LastWords() {
  ask_when_interrupted([this] { stop_and_print(); });
}

LastWords::~LastWords() { ask_when_interrupted({}); }

void LastWords::give(std::string text) {
  const std::lock_guard lock{mutex_};
  text_ = std::move(text);
  given_.notify_one();
}

void LastWords::stop_and_print() {
  stop_.cancel();
  std::unique_lock lock{mutex_};
  given_.wait_for(lock, patience, [this] { return !text_.empty(); });
  write_error((isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "") + text_);
}

}  // namespace histolab::cli
