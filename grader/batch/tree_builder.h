// TreeBuilder: puts what is found into a Tree, within its limits. For tree.cpp, archive.cpp and
// their test alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grader/batch/tree.h"

struct archive;

namespace histolab::batch {

// Of an allowance: the class's, or an archive's.
struct Spent {
  std::size_t entries = 0;
  std::uint64_t unpacked = 0, kept = 0;
};

class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeLimits& limits) : limits_(limits) {}

  // All that lies below the descriptor, which is taken over. `at` is the path so far, empty or
  // ending in '/'. Error: that folder cannot be listed.
  Status add_folder(int descriptor, const std::string& at, int depth);
  // The archive's entries below `at`; what lies in it, in archives too, takes of one allowance.
  void add_archive(std::string_view bytes, const std::string& at, int nesting);
  // The same of a file, as the class itself: its problem is the Error.
  Status add_class_archive(const std::string& path);
  // Error: there is more than the class may have.
  [[nodiscard]] Result<Tree> whole_tree() &&;
  [[nodiscard]] Tree tree() && { return std::move(tree_); }

 private:
  [[nodiscard]] bool has_room(const std::string& at);
  void add_file(const std::string& path, File file, int nesting);
  void keep(const std::string& path, File file);
  // The same as add_archive, in a process of its own.
  void add_archive_apart(const std::string& bytes, const std::string& path, int nesting);
  static void load_charsets();
  // Error: why it ended before the last entry.
  Status add_entries(archive* from, const std::string& at, int nesting, Spent& spent,
                     std::size_t most_entries, std::uint64_t most_bytes);
  void problem(const std::string& path, const std::string& text) {
    tree_.problems.emplace(path, text);
  }
  // What lies in it may be somebody's work.
  void left_unread(const std::string& path, const std::string& text) {
    problem(path, text);
    tree_.unread.insert(path);
  }

  TreeLimits limits_;
  Tree tree_;
  Spent class_;
  std::optional<Spent>
      of_archive_;  // while one is read that lies in no other, or in the class's alone
  bool is_full_ = false;
  bool is_apart_ = false;  // in the process of add_archive_apart: what is kept goes into its answer
  std::shared_ptr<grader::Spool> spool_;  // made when something is kept
  std::optional<Error> failed_;           // the spool could not be made or written
};

}  // namespace histolab::batch
