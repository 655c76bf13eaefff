// Archives for tests, made in memory: by libarchive, or by hand where it would write no such thing.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace histolab::batch::testing {

struct Entry {
  std::string path, bytes;
  mode_t type = AE_IFREG;
  std::string link = {};
  std::optional<std::int64_t> modified = 77;
  std::optional<std::int64_t> only_byte =
      {};  // where the one is that is written; all before and behind it are holes
};

[[nodiscard]] std::string packed(const std::vector<Entry>& entries,
                                 const std::function<void(archive*)>& format);
[[nodiscard]] std::string zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string tar(const std::vector<Entry>& entries, bool gzip = false);
// These hold the bytes of their entries as they are.
[[nodiscard]] std::string stored_zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string stored_7z(const std::vector<Entry>& entries);

// A tar with one sparse file. `map`: its pieces, "begin,length,begin,length", in any order.
[[nodiscard]] std::string tar_with_map(const std::string& path, const std::string& map,
                                       const std::string& bytes, std::size_t length);

// A zip with these flags too in the headers of all entries, the local ones and the directory's.
[[nodiscard]] std::string with_flags(std::string bytes, std::uint16_t flags);
inline constexpr std::uint16_t names_are_utf8 = 1 << 11;

}  // namespace histolab::batch::testing
