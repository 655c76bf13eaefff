// Archives for tests, made in memory by libarchive, and the trees that are read.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/tree.h"

namespace histolab::batch::testing {

struct Entry {
  std::string path, bytes;
  mode_t type = AE_IFREG;
  std::string link = {};
  std::optional<std::int64_t> modified = 77;
  std::optional<std::int64_t> only_byte = {};  // where the one is that is written; all before and behind it are holes
};

[[nodiscard]] std::string packed(const std::vector<Entry>& entries, const std::function<void(archive*)>& format);
[[nodiscard]] std::string zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string tar(const std::vector<Entry>& entries, bool gzip = false);
// These hold the bytes of their entries as they are.
[[nodiscard]] std::string stored_zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string stored_7z(const std::vector<Entry>& entries);

// A zip with these flags too in the headers of all entries, the local ones and the directory's.
[[nodiscard]] std::string with_flags(std::string bytes, std::uint16_t flags);
constexpr std::uint16_t names_are_utf8 = 1 << 11;

// As a student's archive of this name is read, in this process.
[[nodiscard]] Tree tree_of_archive(const std::string& name, std::string_view bytes, const TreeLimits& limits = {});
// What read_tree has of it, and what it says where it has nothing; "": it has something.
[[nodiscard]] Tree tree_at(const std::string& path, const TreeLimits& limits = {});
[[nodiscard]] std::string error_of(const std::string& path, const TreeLimits& limits = {});

}  // namespace histolab::batch::testing
