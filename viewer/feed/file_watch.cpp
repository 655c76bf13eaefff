#include "viewer/feed/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "grader/lab/attempt.h"

namespace histolab::viewer {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{40};

// Returns when a file was written whose change was first seen at `seen`. A date in the future, or
// long before `seen`, is not the time of writing: the file was moved here, or is on a machine with
// another clock. Then the result is `seen`.
Clock::time_point time_of_saving(Clock::time_point seen, std::int64_t seconds,
                                 std::int64_t nanoseconds) {
  constexpr std::chrono::milliseconds longest{500};
  constexpr std::int64_t clocks_end = 9'000'000'000;  // in 2255, before nanoseconds overflow
  if (seconds < 0 || seconds > clocks_end) return seen;
  const auto date = std::chrono::system_clock::time_point{} +
                    std::chrono::duration_cast<std::chrono::system_clock::duration>(
                        std::chrono::seconds{seconds} + std::chrono::nanoseconds{nanoseconds});
  const auto written = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::system_clock::now() - date);
  return written <= Clock::now() && seen - written <= longest ? written : seen;
}

}  // namespace

WatchedFile::Stamp WatchedFile::stamp() const {
  struct stat status {};
  if (stat(grader::stored_path(path_).c_str(), &status) != 0) return {};
  return {true,
          status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec,
          static_cast<std::uint64_t>(status.st_size),
          status.st_ino,
          status.st_dev};
}

std::optional<FileVersion> WatchedFile::look() {
  const bool first = !before_;
  const Stamp now = stamp();
  if (before_ == now) {
    ++same_;
  } else {
    if (!before_ || before_ == reported_) seen_ = Clock::now();
    before_ = now;
    same_ = 0;
  }
  if (reported_ == now) return {};
  if (!first && same_ < (now.there && now.bytes > 0 ? 1 : patience)) return {};
  Result<std::string> text = grader::read_kernel(path_);
  if (stamp() != now) return {};  // written while it was read; the next poll sees it
  const bool new_one = !reported_;
  reported_ = now;
  const std::string& says = text ? *text : text.error().message;
  if (!new_one && says == last_content_) return {};
  last_content_ = says;
  return FileVersion{std::move(text), new_one, time_of_saving(seen_, now.seconds, now.nanoseconds)};
}

struct FileWatch::Shared {
  std::mutex mutex;
  std::condition_variable_any never;
  std::optional<FileVersion> newest;
  bool read = false;
};

FileWatch::FileWatch(std::string path)
    : path_(std::move(path)), shared_(std::make_shared<Shared>()) {
  thread_ = WorkerThread{
      [shared = shared_, file = WatchedFile{path_}](const std::stop_token& stop) mutable {
        while (!stop.stop_requested()) {
          std::optional<FileVersion> version = file.look();
          std::unique_lock lock{shared->mutex};
          if (version) {
            // Keep `first` if the first version was not taken yet.
            version->first |= shared->newest && shared->newest->first;
            shared->newest = std::move(version);
            shared->read = true;
          }
          shared->never.wait_for(lock, stop, between_looks, [] { return false; });
        }
      }};
}

std::optional<FileVersion> FileWatch::take() {
  const std::lock_guard lock{shared_->mutex};
  return std::exchange(shared_->newest, {});
}

bool FileWatch::reading() const {
  const std::lock_guard lock{shared_->mutex};
  return !shared_->read;
}

}  // namespace histolab::viewer
