// Tree: what lies in a folder or an archive; archives in it are folders of their own names. What
// files hold is in a Spool, not in memory.
//
// Nothing is ever unpacked to the disk. Made by strangers, so everything is bounded: symbolic
// links, devices and pipes are named and not followed; absolute names and `..` are refused;
// entries, sizes, depth and what an archive may grow to are limited, and an archive that a student
// made is read by a process of its own. A file that could not be read says so in `problem`; what
// could not be read at all (a broken archive) is in Tree::problems, by its path. Only files whose
// names can matter have their bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "grader/files/spool.h"
#include "reference/result.h"

namespace histolab::batch {

struct File {
  grader::SpooledText bytes;
  bool read = false;                     // `bytes` is what the file holds
  std::string problem;                   // why not, of a file that is wanted
  std::optional<std::int64_t> modified;  // seconds since 1970
};

struct Tree {
  std::map<std::string, File>
      files;  // by path below the root, '/' between names; any other byte may be in them
  std::set<std::string> folders;                      // likewise, archives among them
  std::set<std::string> archives;                     // of `folders`
  std::map<std::string, std::int64_t> archive_times;  // seconds since 1970, if they are known
  std::map<std::string, std::string>
      problems;  // of a folder or archive: why not all of it is here; "" is the class
  std::set<std::string> unread;  // of those: what is missing may be somebody's work
};

struct TreeLimits {
  std::size_t entries =
      2'000'000;  // 100 000 students with a folder, six kernels and six sheets each are 1.3 million
  std::size_t entries_of_archive = 20'000;    // of one that a student made, with the archives in it
  std::uint64_t archive_bytes = 32ull << 20;  // of an archive within the class
  std::uint64_t unpacked_bytes =
      256ull << 20;  // what such an archive may grow to, with those in it, looked at or not
  std::uint64_t kept_bytes_of_archive = 32ull << 20;  // of the files in it that are read
  std::uint64_t class_archive_bytes = 32ull << 30;    // the same of the archive that is the class
  std::uint64_t kept_bytes = 32ull << 30;             // of all files together; on a disk
  int depth = 16;                                     // of folders, in an archive too
  std::size_t name_bytes = 1024;  // in an archive, with the folders that it lies in
  int nesting = 3;                // of archives
  bool apart =
      true;  // a student's archive is read by a process of its own (grader/sandbox/apart.h)
};

// "zip", "tar", "tar.gz" and so on: whether a file of that name is opened as an archive. And the
// name without that ending.
[[nodiscard]] bool is_archive_name(std::string_view name);
[[nodiscard]] std::string without_archive_ending(const std::string& name);
// Kernels, answers, archives, and what learning platforms put next to them.
[[nodiscard]] bool is_work(std::string_view name);
// Whether a file of that name is read: work, and texts that may be a kernel.
[[nodiscard]] bool is_wanted(std::string_view name);
// Whether a file may be meant as a kernel, by its name or its text: "kernel.cpp", or "notes.txt"
// with one in it.
[[nodiscard]] bool may_be_kernel(const std::string& name, const File& file);

// `path` is a folder or an archive. Error: it is neither, cannot be read, or holds more than a
// class may: what was left out could be other people's.
[[nodiscard]] Result<Tree> read_tree(const std::string& path, const TreeLimits& limits = {});

}  // namespace histolab::batch
