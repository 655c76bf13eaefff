// FileWatch: watches a source file that the user edits in another program.
//
// A thread polls the file's date, size and inode several times a second. It reads the file once
// they are equal in two polls, because an editor may write the file in pieces, replace it, or
// remove it for a moment. grader/watch differs: it uses inotify and only wakes a loop that reads
// the file itself. A frame has no time for that.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "reference/result.h"
#include "viewer/feed/worker_thread.h"

namespace histolab::viewer {

// One version of the file. `text` is an Error if the file is missing or not text.
struct FileVersion {
  Result<std::string> text{std::string{}};
  bool first = false;                              // the first version, not a later change
  std::chrono::steady_clock::time_point saved_at;  // from the file's date if plausible
};

// Polls the file once per call. The thread uses it, and tests use it without a clock.
class WatchedFile {
 public:
  explicit WatchedFile(std::string path) : path_(std::move(path)) {}
  // Returns a version if there is a new, stable one. A save without a change is not a new version.
  std::optional<FileVersion> look();

  // Number of polls after which an existing file counts as empty or missing.
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
  std::string last_content_;  // the last version's text or error message
  int same_ = 0;              // number of polls with the stamp `before_`
  std::chrono::steady_clock::time_point seen_;
};

class FileWatch {
 public:
  explicit FileWatch(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  // Returns the newest version since the last call.
  [[nodiscard]] std::optional<FileVersion> take();
  // Whether the first read is still pending.
  [[nodiscard]] bool reading() const;

 private:
  struct Shared;
  std::string path_;
  std::shared_ptr<Shared> shared_;
  WorkerThread thread_;
};

}  // namespace histolab::viewer
