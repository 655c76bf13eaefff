#include "grader/batch/testing/archives.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace histolab::batch::testing {
namespace {

la_ssize_t append(archive*, void* to, const void* bytes, std::size_t count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

// Blocks of a tar: a header, then the data in blocks of 512 bytes.
std::string tar_blocks(const std::string& path, char type, const std::string& bytes) {
  std::string head(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) {
    head.replace(at, text.size(), text);
  };
  put(0, path), put(100, "0000644"), put(124, fmt::format("{:011o}", bytes.size())),
      put(136, "00000000115"), put(148, std::string(8, ' ')), put(156, std::string(1, type)),
      put(257, std::string("ustar\0"
                           "00",
                           8));
  unsigned sum = 0;
  for (const char each : head) sum += static_cast<unsigned char>(each);
  put(148, fmt::format("{:06o}", sum) + '\0');
  return head + bytes + std::string((512 - bytes.size() % 512) % 512, '\0');
}

}  // namespace

std::string packed(const std::vector<Entry>& entries, const std::function<void(archive*)>& format) {
  std::string bytes;
  archive* out = archive_write_new();
  format(out);
  archive_write_set_bytes_in_last_block(out, 1);
  REQUIRE(archive_write_open(out, &bytes, nullptr, append, nullptr) == ARCHIVE_OK);
  for (const Entry& each : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, each.path.c_str());
    archive_entry_set_filetype(entry, each.type);
    archive_entry_set_perm(entry, 0644);
    if (each.modified) archive_entry_set_mtime(entry, *each.modified, 0);
    archive_entry_set_size(entry, static_cast<la_int64_t>(each.bytes.size()));
    if (each.only_byte) archive_entry_sparse_add_entry(entry, *each.only_byte, 1);
    if (each.type == AE_IFLNK)
      archive_entry_set_symlink(entry, each.link.c_str());
    else if (!each.link.empty())
      archive_entry_set_hardlink(entry, each.link.c_str());
    archive_write_header(out, entry);
    if (!each.bytes.empty()) archive_write_data(out, each.bytes.data(), each.bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  return bytes;
}

std::string zip(const std::vector<Entry>& entries) {
  return packed(entries, [](archive* out) { archive_write_set_format_zip(out); });
}
std::string tar(const std::vector<Entry>& entries, bool gzip) {
  return packed(entries, [&](archive* out) {
    archive_write_set_format_pax_restricted(out);
    if (gzip) archive_write_add_filter_gzip(out);
  });
}
std::string stored_zip(const std::vector<Entry>& entries) {
  return packed(entries, [](archive* out) {
    archive_write_set_format_zip(out);
    archive_write_zip_set_compression_store(out);
  });
}
std::string stored_7z(const std::vector<Entry>& entries) {
  return packed(entries, [](archive* out) {
    archive_write_set_format_7zip(out);
    archive_write_set_options(out, "7zip:compression=store");
  });
}

std::string tar_with_map(const std::string& path, const std::string& map, const std::string& bytes,
                         std::size_t length) {
  std::string records;
  for (const std::string& fact :
       {"GNU.sparse.size=" + std::to_string(length),
        "GNU.sparse.numblocks=" + std::to_string((std::ranges::count(map, ',') + 1) / 2),
        "GNU.sparse.map=" + map}) {
    // A record begins with its length, which includes the digits, the blank and the newline.
    const std::size_t all = fact.size() + 2 + std::to_string(fact.size() + 4).size();
    records += std::to_string(all) + " " + fact + "\n";
  }
  return tar_blocks("facts", 'x', records) + tar_blocks(path, '0', bytes) + std::string(1024, '\0');
}

std::string with_flags(std::string bytes, std::uint16_t flags) {
  for (const auto& [begin, at] :
       {std::pair{std::string_view{"PK\3\4"}, 6}, {std::string_view{"PK\1\2"}, 8}})
    for (std::size_t found = bytes.find(begin); found != std::string::npos;
         found = bytes.find(begin, found + 1)) {
      bytes[found + static_cast<std::size_t>(at)] =
          static_cast<char>(bytes[found + static_cast<std::size_t>(at)] | (flags & 0xff));
      bytes[found + static_cast<std::size_t>(at) + 1] =
          static_cast<char>(bytes[found + static_cast<std::size_t>(at) + 1] | (flags >> 8));
    }
  return bytes;
}

}  // namespace histolab::batch::testing
