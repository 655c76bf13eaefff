// FileWriter: replaces a file as a whole. Readers see the old file or the complete new one.
//
// The bytes go to a temporary file in the same folder, which is synced and then renamed. A full
// disk, a killed process or Ctrl-C leaves the old file unchanged. A path that is not a regular file
// (/dev/stdout, a FIFO) is written to directly.
#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

// Writes a file piece by piece. Until end() is called, the old file is unchanged.
class FileWriter {
 public:
  // "-" is the standard output. Returns an Error if, for example, the folder is missing or not
  // writable, or the disk is full.
  static Result<FileWriter> begin(const std::string& path);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();
  [[nodiscard]] Status add(std::string_view bytes);
  [[nodiscard]] Status end();

 private:
  FileWriter(std::string path, std::string target, std::string temporary, int fd);
  [[nodiscard]] Status end_with(int failed);

  std::string path_;
  std::string target_;     // path_ with its links resolved
  std::string temporary_;  // empty if the bytes go directly to the path
  int fd_;
};

// Writes a file in one piece.
[[nodiscard]] Status write_file(const std::string& path, std::string_view bytes);

// Checks before an hour of grading that write_file can work. Returns an Error if the folder is
// missing or not writable.
[[nodiscard]] Status check_writable(const std::string& path);

// Removes the temporary file of a FileWriter on another thread, and blocks every FileWriter that
// begins or ends from now on. For a thread that is about to end the process. There is at most one
// FileWriter at a time.
void abandon_writing();

}  // namespace histolab::grader
