// FileWatch: notices that a file was saved, whatever way the editor saves it.
//
// What decides is the file itself: its inode, size and time are compared with those of the last
// look, so a file that is written in place, replaced by a rename, removed and made again, or that
// lies in a folder that goes and comes, is all one. The kernel's notifications (inotify, of the
// folder) only say when to look; on file systems that other machines write to (NFS, SMB, FUSE, 9p
// ...), and where no notification is to be had, it is looked at every few hundred milliseconds
// instead.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <optional>
#include <string>

namespace histolab::grader {

class FileWatch {
 public:
  // `polling`: without notifications, whatever the file system.
  explicit FileWatch(std::string path, bool polling = false);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // To be polled for reading; -1: there are no notifications. Readable: look.
  [[nodiscard]] int descriptor() const { return inotify_; }
  // Look after so long at the latest, notification or not.
  [[nodiscard]] std::chrono::milliseconds interval() const;
  // Whether the file was written, or is another one, since the last look; the first one is the
  // constructor's. What was written may be what was there before. Without a notification it has to
  // stand still from one look to the next first: nobody says when a writer is done.
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
  [[nodiscard]] std::optional<State> look() const;  // nullopt: there is no such file
  void listen();

  std::string path_, folder_;
  bool polling_;
  int inotify_ = -1;
  int watched_ = -1;  // the folder's watch; -1: it has to be asked for again
  std::optional<State> known_, moving_;
};

}  // namespace histolab::grader
