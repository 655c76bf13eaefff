// FileWatch: a source file that someone edits elsewhere.
//
// A thread looks at the file's date, size and number some times a second and reads it when they
// have stayed the same between two looks: an editor may write it in pieces, replace it by another,
// or take it away for a moment. (The watch of grader/watch only wakes a loop that reads the file
// itself, and asks the kernel to be told; a frame has no time to read.)
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reference/result.h"
#include "viewer/feed/worker_thread.h"

namespace histolab::viewer {

// What the file is now. Error: it is gone, or no text; the sentence says so.
struct FileVersion {
  Result<std::string> text{std::string{}};
  bool first = false;                              // else someone changed it while it was watched
  std::chrono::steady_clock::time_point saved_at;  // as its date says, where that can be
};

// One look after the other; for the thread, and for tests that need no clock.
class WatchedFile {
 public:
  explicit WatchedFile(std::string path) : path_(std::move(path)) {}
  // A version, when there is a new one that stays. A file that was saved without a change is no new
  // version.
  std::optional<FileVersion> look();

  // Looks at an empty or a missing file until that is believed of one that was there before.
  static constexpr int patience = 8;

 private:
  struct Stamp {
    bool there = false;
    std::int64_t seconds = 0, nanoseconds = 0;
    std::uint64_t bytes = 0, number = 0, device = 0;
    bool operator==(const Stamp&) const = default;
  };
  [[nodiscard]] Stamp stamp() const;

  std::string path_;
  std::optional<Stamp> before_, reported_;
  std::string said_;  // the text, or the error's message, of the last version
  int same_ = 0;      // looks at which `before_` was the stamp
  std::chrono::steady_clock::time_point seen_;
};

class FileWatch {
 public:
  explicit FileWatch(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  // The newest version since it was asked last.
  [[nodiscard]] std::optional<FileVersion> take();
  // The file has not been read for the first time yet.
  [[nodiscard]] bool reading() const;

 private:
  struct Shared;
  std::string path_;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
