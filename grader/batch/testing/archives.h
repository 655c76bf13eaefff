// Archives for tests, made in memory with libarchive, or by hand if libarchive cannot write them.
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
  // Offset of the only written byte; the rest of the file is a hole.
  std::optional<std::int64_t> only_byte = {};
};

[[nodiscard]] std::string packed(const std::vector<Entry>& entries,
                                 const std::function<void(archive*)>& format);
[[nodiscard]] std::string zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string tar(const std::vector<Entry>& entries, bool gzip = false);
// Without compression: the archive contains the bytes of its entries unchanged.
[[nodiscard]] std::string stored_zip(const std::vector<Entry>& entries);
[[nodiscard]] std::string stored_7z(const std::vector<Entry>& entries);

// A tar with one sparse file. `map` lists its pieces: "begin,length,begin,length", in any order.
[[nodiscard]] std::string tar_with_map(const std::string& path, const std::string& map,
                                       const std::string& bytes, std::size_t length);

// Sets flags in all headers of a zip, in the local ones and in the directory.
[[nodiscard]] std::string with_flags(std::string bytes, std::uint16_t flags);
inline constexpr std::uint16_t names_are_utf8 = 1 << 11;

}  // namespace histolab::batch::testing
