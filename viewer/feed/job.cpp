#include "viewer/feed/job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <mutex>
#include <utility>

#include "viewer/feed/child.h"

namespace histolab::viewer {

struct Job::Shared {
  std::mutex mutex;
  bool ended = false;
  std::optional<Result<nlohmann::json>> result;
};

namespace {

constexpr std::size_t most_bytes = 64 << 20;

// nullopt: nobody wants it any more.
std::optional<Result<nlohmann::json>> output_of(const std::vector<std::string>& command, const std::stop_token& stop) {
  Result<Child> child = Child::start(command);
  if (!child) return child.error();
  std::string output;
  for (;;) {
    if (stop.stop_requested()) return {};
    const std::optional<std::string> bytes = child->read(std::chrono::milliseconds{20});
    if (!bytes) break;
    output += *bytes;
    if (output.size() > most_bytes) return Error{fmt::format("{} printed more than can be read", command.front())};
  }
  const int status = child->wait();
  nlohmann::json json = nlohmann::json::parse(output, nullptr, false);
  if (json.is_discarded())
    return Error{fmt::format("`{}` ended with status {} and said nothing that can be read; try it in a terminal", fmt::join(command, " "), status)};
  return json;
}

}  // namespace

Job::Job(std::vector<std::string> command) : shared_(std::make_shared<Shared>()) {
  thread_ = WorkerThread{[shared = shared_, command = std::move(command)](const std::stop_token& stop) {
    std::optional<Result<nlohmann::json>> result = output_of(command, stop);
    const std::lock_guard lock{shared->mutex};
    shared->result = std::move(result);
    shared->ended = true;
  }};
}

bool Job::running() const {
  const std::lock_guard lock{shared_->mutex};
  return !shared_->ended;
}

std::optional<Result<nlohmann::json>> Job::take() {
  const std::lock_guard lock{shared_->mutex};
  return std::exchange(shared_->result, {});
}

}  // namespace histolab::viewer
