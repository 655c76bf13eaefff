// Writing a report: it is there whole, or the old one is.
//
// The bytes go to a temporary file in the same folder, are synced and take the name by rename(2). A
// full disk, a killed process or Ctrl-C leaves the old file as it was. A name that is no regular
// file (/dev/stdout, a FIFO) is written to.
#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"

namespace histolab::grader {

// A file that is written piece by piece. Without end() nothing has happened: the old file is there.
class FileWriter {
 public:
  // "-" is the standard output. Error: the folder is missing or not writable, the disk is full, ...
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
  std::string target_;     // behind links
  std::string temporary_;  // empty: what is written goes to the name itself
  int fd_;
};

// Of one piece.
[[nodiscard]] Status write_file(const std::string& path, std::string_view bytes);

// Whether write_file could work, found out before an hour of grading: the folder is there and can
// be written to.
[[nodiscard]] Status check_writable(const std::string& path);

// Removes the temporary file of a FileWriter under way on another thread, and lets none begin or
// end any more: from now on they wait. For a thread that is about to end the process. There is one
// FileWriter at a time.
void abandon_writing();

}  // namespace histolab::grader
