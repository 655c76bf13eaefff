// Reads sources of a program by the names that debug information and compilers give them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace histolab::kernels::program {

// Returns the beginning of a source, at most 4 MiB. A source can name any file in a #line: returns
// an empty text unless the file is a regular one in one of the folders, which the program may read,
// too.
[[nodiscard]] std::string read_source(const std::string& path,
                                      const std::vector<std::string>& readable);

// Reads each file once, however many names the program has for it, and 64 MiB in all: the text of
// more files is empty.
class SourceFiles {
 public:
  void allow(const std::string& folder) { readable_.push_back(folder); }
  [[nodiscard]] const std::string& text(const std::string& path) { return file(path).text; }
  // Returns an empty text for a line that does not exist. Lines count from 1.
  [[nodiscard]] std::string line(const std::string& path, int number);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> begins;  // of lines
  };
  const File& file(const std::string& path);
  const File& find(const std::string& path);

  std::vector<std::string> readable_;  // folders
  std::map<std::string, File> files_;  // by canonical path
  std::map<std::string, const File*> names_;
  std::size_t bytes_ = 0;
};

}  // namespace histolab::kernels::program
