// TreeBuilder: builds a Tree within its limits. Only for tree.cpp, archive.cpp and their tests.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/batch/tree.h"

struct archive;

namespace histolab::batch {

// The used part of the limits of the class or of an archive.
struct Spent {
  std::size_t entries = 0;
  std::uint64_t unpacked = 0, kept = 0;
};

class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeLimits& limits) : limits_(limits) {}

  // Adds the contents of the folder, and closes the descriptor. `at` is its path, and is empty or
  // ends in '/'. Returns an Error if the folder cannot be listed.
  Status add_folder(int descriptor, const std::string& at, int depth);
  // Adds the archive's entries below `at`. They share one set of limits with archives inside it.
  void add_archive(std::string_view bytes, const std::string& at, int nesting);
  // The same for a file that contains the whole class. Its problem is returned as an Error.
  Status add_class_archive(const std::string& path);
  // Returns an Error if the class exceeds its limits.
  [[nodiscard]] Result<Tree> whole_tree() &&;
  [[nodiscard]] Tree tree() && { return std::move(tree_); }

 private:
  [[nodiscard]] bool has_room(const std::string& at);
  void add_file(const std::string& path, File file, int nesting);
  void keep(const std::string& path, File file);
  // The same as add_archive, in a separate process.
  void add_archive_apart(const std::string& bytes, const std::string& path, int nesting);
  static void load_charsets();
  // Returns an Error if reading ended before the last entry.
  Status add_entries(archive* from, const std::string& at, int nesting, Spent& spent,
                     std::size_t most_entries, std::uint64_t most_bytes);
  void problem(const std::string& path, const std::string& text) {
    tree_.problems.emplace(path, text);
  }
  // Reports a problem with a part that may contain students' work.
  void left_unread(const std::string& path, const std::string& text) {
    problem(path, text);
    tree_.unread.insert(path);
  }

  TreeLimits limits_;
  Tree tree_;
  Spent class_;
  std::optional<Spent> of_archive_;  // set while a student's archive is read
  bool is_full_ = false;
  bool is_apart_ = false;  // in the process of add_archive_apart: files go into its answer
  std::shared_ptr<grader::Spool> spool_;  // created for the first kept file
  std::optional<Error> failed_;           // the spool could not be made or written
};

}  // namespace histolab::batch
