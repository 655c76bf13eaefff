#include "viewer/feed/feed.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "viewer/feed/child.h"
#include "viewer/feed/line_splitter.h"

namespace histolab::viewer {

using std::chrono::milliseconds;

// State shared by the frame and the thread.
struct Feed::Shared {
  static constexpr std::size_t most_waiting = 256, most_bytes = 64 << 20;

  std::mutex mutex;
  std::condition_variable_any taken;
  std::vector<Event> events;
  std::size_t bytes = 0;  // total length of the events' lines
  std::vector<std::string> words;
  bool ended = false;
  bool listens = false;

  void put(Event event, std::size_t its_bytes, const std::stop_token& stop) {
    std::unique_lock lock{mutex};
    taken.wait(lock, stop, [&] { return events.size() < most_waiting && bytes < most_bytes; });
    if (stop.stop_requested()) return;
    events.push_back(std::move(event));
    bytes += its_bytes;
  }
  void end() {
    const std::lock_guard lock{mutex};
    ended = true;
  }
  std::vector<std::string> take_words() {
    const std::lock_guard lock{mutex};
    return std::exchange(words, {});
  }
};

namespace {

constexpr milliseconds patience{20};

double elapsed_s(const Event& event) {
  const auto* progress = std::get_if<Progress>(&event);
  return progress == nullptr ? 0 : progress->elapsed_s;
}

}  // namespace

Feed Feed::of_command(std::vector<std::string> command) {
  Feed feed;
  feed.shared_ = std::make_shared<Shared>();
  feed.shared_->listens = true;
  feed.thread_ = WorkerThread{[shared = feed.shared_,
                               command = std::move(command)](const std::stop_token& stop) {
    Result<Child> child = Child::start(command);
    if (!child) {
      shared->put(Failure{child.error().message}, 0, stop);
      shared->end();
      return;
    }
    LineSplitter lines;
    bool told = false;
    const auto pass_on = [&](std::string_view line) {
      Event event = parse_event(line);
      told |= std::holds_alternative<Failure>(event);
      shared->put(std::move(event), line.size(), stop);
    };
    while (!stop.stop_requested()) {
      for (const std::string& word : shared->take_words()) child->send_line(word);
      const std::optional<std::string> bytes = child->read(patience);
      if (!bytes) break;
      lines.add(*bytes, pass_on);
    }
    if (!told && !stop.stop_requested())
      if (const int status = child->wait(); status > 1)  // 1 only means that the kernel is wrong
        shared->put(Failure{describe_failure(command, status, child->error_output()).message}, 0,
                    stop);
    shared->end();
  }};
  return feed;
}

Feed Feed::of_descriptor(int descriptor) {
  Feed feed;
  feed.shared_ = std::make_shared<Shared>();
  feed.thread_ = WorkerThread{[shared = feed.shared_, descriptor](const std::stop_token& stop) {
    LineSplitter lines;
    while (!stop.stop_requested()) {
      const std::optional<std::string> bytes = read_some(descriptor, patience);
      if (!bytes) break;
      lines.add(*bytes,
                [&](std::string_view line) { shared->put(parse_event(line), line.size(), stop); });
    }
    close(descriptor);
    shared->end();
  }};
  return feed;
}

Result<Feed> Feed::of_file(const std::string& path, double speed) {
  // O_NONBLOCK: do not wait for a pipe without a writer.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return Error{fmt::format("cannot read the recorded stream {}: {}", path, std::strerror(errno))};
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    return Error{fmt::format("cannot read the recorded stream {}: not a file", path)};
  }
  Feed feed;
  feed.shared_ = std::make_shared<Shared>();
  feed.thread_ = WorkerThread{[shared = feed.shared_, file, speed](const std::stop_token& stop) {
    std::mutex sleeping;
    std::condition_variable_any never;
    double before = 0;
    LineSplitter lines;
    while (!stop.stop_requested()) {
      const std::optional<std::string> bytes = read_some(file, patience);
      if (!bytes) break;
      lines.add(*bytes, [&](std::string_view line) {
        Event event = parse_event(line);
        if (std::holds_alternative<Begin>(event)) before = 0;
        if (const double now = elapsed_s(event); speed > 0 && now > before) {
          // Shortens long pauses in a recording.
          const double wait_s = std::min(now - before, 1.0) / speed;
          std::unique_lock lock{sleeping};
          never.wait_for(lock, stop, std::chrono::duration<double>(wait_s), [] { return false; });
          before = now;
        }
        shared->put(std::move(event), line.size(), stop);
      });
    }
    close(file);
    shared->end();
  }};
  return feed;
}

std::vector<Event> Feed::take() {
  const std::lock_guard lock{shared_->mutex};
  shared_->taken.notify_all();
  shared_->bytes = 0;
  return std::exchange(shared_->events, {});
}

bool Feed::ended() const {
  const std::lock_guard lock{shared_->mutex};
  return shared_->ended && shared_->events.empty();
}

void Feed::send(const std::string& line) {
  const std::lock_guard lock{shared_->mutex};
  if (shared_->listens) shared_->words.push_back(line);
}

}  // namespace histolab::viewer
