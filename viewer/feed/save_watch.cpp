#include "viewer/feed/save_watch.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

namespace histolab::viewer {
namespace {

constexpr std::chrono::milliseconds between_polls{40};

}  // namespace

struct SaveWatch::Shared {
  struct Stamp {
    std::int64_t date = 0;
    std::uint64_t bytes = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Watched {
    Stamp before, reported;
  };
  // Returns zeros for a missing file.
  static Stamp stamp_of(const std::string& file) {
    std::error_code failure;
    const auto date = std::filesystem::last_write_time(file, failure);
    if (failure) return {};
    const std::uint64_t bytes = std::filesystem::file_size(file, failure);
    return failure ? Stamp{} : Stamp{date.time_since_epoch().count(), bytes};
  }

  std::mutex mutex;
  std::condition_variable_any changed;
  std::map<std::string, Watched> files;
  bool saved = false;
};

SaveWatch::SaveWatch()
    : shared_(std::make_shared<Shared>()), thread_([shared = shared_](const std::stop_token& stop) {
        std::unique_lock lock{shared->mutex};
        while (!shared->changed.wait_for(lock, stop, between_polls, [] { return false; }) &&
               !stop.stop_requested()) {
          auto files = shared->files;
          lock.unlock();  // a file may be on a slow disk
          bool saved = false;
          for (auto& [file, watched] : files) {
            const Shared::Stamp now = Shared::stamp_of(file);
            if (now == watched.before && now != watched.reported) {
              saved = true;
              watched.reported = now;
            }
            watched.before = now;
          }
          lock.lock();
          for (auto& [file, watched] : shared->files)
            if (const auto seen = files.find(file); seen != files.end()) watched = seen->second;
          shared->saved |= saved;
        }
      }) {}

void SaveWatch::set_files(const std::vector<std::string>& files) {
  std::map<std::string, Shared::Watched> watched;
  const std::lock_guard lock{shared_->mutex};
  for (const std::string& file : files) {
    if (const auto known = shared_->files.find(file); known != shared_->files.end()) {
      watched[file] = known->second;
    } else {
      const Shared::Stamp now = Shared::stamp_of(file);
      watched[file] = {now, now};
    }
  }
  shared_->files = std::move(watched);
}

bool SaveWatch::take() {
  const std::lock_guard lock{shared_->mutex};
  return std::exchange(shared_->saved, false);
}

}  // namespace histolab::viewer
