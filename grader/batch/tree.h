// Tree: the contents of a folder or an archive. Archives inside it are folders with the archive's
// name. File contents are in a Spool, not in memory; nothing is unpacked to disk.
//
// The contents are untrusted, so everything is bounded. Symbolic links, devices and pipes are
// listed but not followed; absolute names and `..` are refused; the number of entries, sizes, depth
// and unpacked bytes are limited. A separate process reads each student's archive. `File::problem`
// says why a file could not be read; Tree::problems has folders and archives that could not be
// read. Only files with relevant names have contents.
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
  bool read = false;                     // `bytes` has the contents
  std::string problem;                   // why a relevant file was not read
  std::optional<std::int64_t> modified;  // seconds since 1970
};

struct Tree {
  // By path relative to the root, with '/' between names. Names may have any other bytes.
  std::map<std::string, File> files;
  std::set<std::string> folders;                      // paths, including archives
  std::set<std::string> archives;                     // subset of `folders`
  std::map<std::string, std::int64_t> archive_times;  // seconds since 1970, if known
  // Why a folder or archive is incomplete, by path; "" is the class.
  std::map<std::string, std::string> problems;
  std::set<std::string> unread;  // subset of `problems` that may lack a student's work
};

struct TreeLimits {
  // 100 000 students with a folder, six kernels and six answer files each have 1.3 million entries.
  std::size_t entries = 2'000'000;
  std::size_t entries_of_archive = 20'000;    // in a student's archive, with the archives in it
  std::uint64_t archive_bytes = 32ull << 20;  // size of an archive in the class
  // Unpacked size of a student's archive, with the archives in it, including ignored files.
  std::uint64_t unpacked_bytes = 256ull << 20;
  std::uint64_t kept_bytes_of_archive = 32ull << 20;  // files read from a student's archive
  std::uint64_t class_archive_bytes = 32ull << 30;    // unpacked size of an archive of the class
  std::uint64_t kept_bytes = 32ull << 30;             // all files together, on disk
  int depth = 16;                                     // of folders, also in an archive
  std::size_t name_bytes = 1024;                      // of a path in an archive
  int nesting = 3;                                    // of archives
  // Reads each student's archive in a separate process (grader/sandbox/apart.h).
  bool apart = true;
};

// True if a file of this name is opened as an archive: it ends in ".zip", ".tar", ".tar.gz", ...
[[nodiscard]] bool is_archive_name(std::string_view name);
[[nodiscard]] std::string without_archive_ending(const std::string& name);
// True for names of kernels, answers, archives, and the files that learning platforms add.
[[nodiscard]] bool is_work(std::string_view name);
// True if a file of this name is read: is_work(), or a text that may be a kernel.
[[nodiscard]] bool is_wanted(std::string_view name);
// True if a file may be a kernel by its name or its text: "kernel.cpp", or "notes.txt" that
// contains a kernel.
[[nodiscard]] bool may_be_kernel(const std::string& name, const File& file);

// Reads a folder or an archive. Returns an Error if `path` is neither, if it cannot be read, or if
// it exceeds the limits of a class: then students' files would be missing.
[[nodiscard]] Result<Tree> read_tree(const std::string& path, const TreeLimits& limits = {});

}  // namespace histolab::batch
