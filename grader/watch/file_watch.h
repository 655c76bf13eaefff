// FileWatch: detects that a file was saved, however the editor saves it.
//
// It compares the file's inode, size and time with those of the last look. So it handles files that
// are written in place, replaced by a rename, removed and recreated, and folders that disappear and
// return. Notifications (inotify, on the folder) only say when to look. If the file system is
// shared with other machines (NFS, SMB, FUSE, 9p ...) or notifications are unavailable, it looks
// every few hundred milliseconds.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <string>

namespace histolab::grader {

class FileWatch {
 public:
  // With `polling`, notifications are never used.
  explicit FileWatch(std::string path, bool polling = false);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // A descriptor to poll for reading: look when it is readable. -1 without notifications.
  [[nodiscard]] int descriptor() const { return inotify_; }
  // The longest time between two looks, with or without notifications.
  [[nodiscard]] std::chrono::milliseconds interval() const;
  // Whether the file was written or replaced since the last look. The constructor makes the first
  // look. The new content may equal the old. Without a notification, the file must also be
  // unchanged between two looks, because a writer may not be done.
  [[nodiscard]] bool changed();

 private:
  struct State {
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    timespec time{};
    bool operator==(const State& other) const {
      return device == other.device && inode == other.inode && size == other.size &&
             time.tv_sec == other.time.tv_sec && time.tv_nsec == other.time.tv_nsec;
    }
  };
  [[nodiscard]] std::optional<State> look() const;  // nullopt if the file is missing
  void listen();

  std::string path_, folder_;
  bool polling_;
  int inotify_ = -1;
  int watched_ = -1;  // the folder's watch; -1 if it must be requested again
  std::optional<State> known_, unsettled_;
};

}  // namespace histolab::grader
