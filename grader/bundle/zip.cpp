#include "grader/bundle/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>

namespace histolab::bundle {
namespace {

// 1980-01-01 and half a day: zip knows no time before, and writes local ones.
constexpr std::time_t one_time = 315'576'000;

la_ssize_t append(archive*, void* to, const void* bytes, std::size_t count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

}  // namespace

Result<std::string> zip_of(std::vector<File> files) {
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.path < b.path; });
  std::string bytes;
  const std::unique_ptr<archive, decltype(&archive_write_free)> zip(archive_write_new(), archive_write_free);
  const auto problem = [&] { return Error{fmt::format("the archive could not be made: {}", archive_error_string(zip.get()) == nullptr ? "out of memory" : archive_error_string(zip.get()))}; };
  if (!zip || archive_write_set_format_zip(zip.get()) != ARCHIVE_OK || archive_write_set_options(zip.get(), "zip:compression=deflate") != ARCHIVE_OK ||
      archive_write_set_bytes_in_last_block(zip.get(), 1) != ARCHIVE_OK || archive_write_open(zip.get(), &bytes, nullptr, append, nullptr) != ARCHIVE_OK)
    return problem();
  for (const File& file : files) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(), archive_entry_free);
    archive_entry_set_pathname_utf8(entry.get(), file.path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    archive_entry_set_mtime(entry.get(), one_time, 0);
    if (archive_write_header(zip.get(), entry.get()) != ARCHIVE_OK) return problem();
    if (archive_write_data(zip.get(), file.bytes.data(), file.bytes.size()) != static_cast<la_ssize_t>(file.bytes.size())) return problem();
  }
  if (archive_write_close(zip.get()) != ARCHIVE_OK) return problem();
  return bytes;
}

}  // namespace histolab::bundle
