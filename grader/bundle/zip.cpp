#include "grader/bundle/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>

namespace histolab::bundle {
namespace {

// 1980-01-01 and half a day: the format starts in 1980, and has local times.
constexpr std::time_t fixed_time = 315'576'000;

la_ssize_t append(archive*, void* to, const void* bytes, std::size_t count) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;
using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

Error problem_of(archive* which, const char* what) {
  const char* const why = which == nullptr ? nullptr : archive_error_string(which);
  return Error{fmt::format("{}: {}", what, why == nullptr ? "out of memory" : why)};
}

// `begin` sets the format. Returns false if it cannot.
template <class Begin>
Result<std::string> archive_of(std::vector<File> files, Begin begin) {
  std::ranges::sort(files, {}, &File::path);
  std::string bytes;
  const Writer out(archive_write_new(), archive_write_free);
  const auto problem = [&] { return problem_of(out.get(), "the archive could not be written"); };
  if (!out || !begin(out.get()) ||
      archive_write_set_bytes_in_last_block(out.get(), 1) != ARCHIVE_OK ||
      archive_write_open(out.get(), &bytes, nullptr, append, nullptr) != ARCHIVE_OK)
    return problem();
  for (const File& file : files) {
    const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                              archive_entry_free);
    archive_entry_set_pathname_utf8(entry.get(), file.path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.bytes.size()));
    archive_entry_set_mtime(entry.get(), fixed_time, 0);
    if (archive_write_header(out.get(), entry.get()) != ARCHIVE_OK) return problem();
    if (archive_write_data(out.get(), file.bytes.data(), file.bytes.size()) !=
        static_cast<la_ssize_t>(file.bytes.size()))
      return problem();
  }
  if (archive_write_close(out.get()) != ARCHIVE_OK) return problem();
  return bytes;
}

Status read_all(archive* in, std::vector<File>& files) {
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  while ((status = archive_read_next_header(in, &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    File file{archive_entry_pathname(entry), {}, (archive_entry_perm(entry) & 0100) != 0};
    std::array<char, 1 << 16> part{};
    la_ssize_t count = 0;
    while ((count = archive_read_data(in, part.data(), part.size())) > 0)
      file.bytes.append(part.data(), static_cast<std::size_t>(count));
    if (count < 0) return problem_of(in, file.path.c_str());
    files.push_back(std::move(file));
  }
  return status == ARCHIVE_EOF ? Status{Done{}} : problem_of(in, "it cannot be read");
}

Reader new_reader() {
  Reader in(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(in.get());
  archive_read_support_format_all(in.get());
  return in;
}

}  // namespace

Result<std::string> zip_of(std::vector<File> files) {
  return archive_of(std::move(files), [](archive* out) {
    return archive_write_set_format_zip(out) == ARCHIVE_OK &&
           archive_write_set_options(out, "zip:compression=deflate") == ARCHIVE_OK;
  });
}

Result<std::string> tar_gz_of(std::vector<File> files) {
  return archive_of(std::move(files), [](archive* out) {
    return archive_write_set_format_pax_restricted(out) == ARCHIVE_OK &&
           archive_write_add_filter_gzip(out) == ARCHIVE_OK &&
           archive_write_set_options(out, "gzip:!timestamp") == ARCHIVE_OK;
  });
}

Result<std::vector<File>> files_of_archive(const std::string& path) {
  std::vector<File> files;
  const Reader in = new_reader();
  if (archive_read_open_filename(in.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    return problem_of(in.get(), path.c_str());
  if (Status all = read_all(in.get(), files); !all)
    return Error{fmt::format("{}: {}", path, all.error().message)};
  const auto data = std::ranges::find_if(
      files, [](const File& file) { return file.path.starts_with("data.tar"); });
  if (!path.ends_with(".deb") || data == files.end()) return files;
  std::vector<File> inside;
  const Reader package = new_reader();
  if (archive_read_open_memory(package.get(), data->bytes.data(), data->bytes.size()) != ARCHIVE_OK)
    return problem_of(package.get(), path.c_str());
  if (Status all = read_all(package.get(), inside); !all)
    return Error{fmt::format("{}: {}", path, all.error().message)};
  return inside;
}

}  // namespace histolab::bundle
