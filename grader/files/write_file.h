// FileWriter: replaces a file as a whole. Readers see the old file or the complete new one.
//
// The bytes go to a temporary file in the same folder, which is synced and then renamed. A full
// disk, a killed process or Ctrl-C leaves the old file unchanged. A path that is not a regular file
// (/dev/stdout, a FIFO) is written to directly.
#pragma once

#include <cstdio>
#include <functional>
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
  // Calls `is_wanted` immediately before the replacement. If it returns false, the old file stays,
  // and this function returns false. The new file survives a power cut. For regular files.
  [[nodiscard]] Result<bool> end_if(const std::function<bool()>& is_wanted);
  // Returns false if there is a file of this name by now, which stays. For regular files.
  [[nodiscard]] Result<bool> end_new();

 private:
  FileWriter(std::string path, std::string target, std::string temporary, int fd);
  // Returns 0 or an errno.
  [[nodiscard]] int end_with(int failed,
                             int (*give_name)(const char* from, const char* to) = &std::rename);

  std::string path_;
  std::string target_;     // path_ with its links resolved
  std::string temporary_;  // empty if the bytes go directly to the path
  int fd_;
};

// Writes a file in one piece.
[[nodiscard]] Status write_file(const std::string& path, std::string_view bytes);
// The same as FileWriter::end_if().
[[nodiscard]] Result<bool> write_file_if(const std::string& path, std::string_view bytes,
                                         const std::function<bool()>& is_wanted);
// The same as FileWriter::end_new().
[[nodiscard]] Result<bool> write_new_file(const std::string& path, std::string_view bytes);

// Checks before an hour of grading that write_file can work. Returns an Error if the folder is
// missing or not writable.
[[nodiscard]] Status check_writable(const std::string& path);

// Removes the temporary files of FileWriters on other threads, and blocks every FileWriter that
// begins or ends from now on. For a thread that is about to end the process.
void abandon_writing();

}  // namespace histolab::grader
