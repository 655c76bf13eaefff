// Reading archives for a TreeBuilder, with libarchive and only in memory.
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <iconv.h>
#include <locale.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "grader/batch/tree_builder.h"
#include "grader/files/read_file.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr const char* utf8_locale = "C.UTF-8";
// mutant 6 -> 7: reads one byte more than any of them has
constexpr std::size_t longest_magic = 6;
constexpr std::int64_t end_of_9999 = 253402300799;  // in seconds since 1970

struct Free {
  void operator()(archive* each) const { archive_read_free(each); }
};
using Archive = std::unique_ptr<archive, Free>;

// The compression of the whole archive, from its first bytes.
int compression_of(std::string_view begin) {
  using namespace std::string_view_literals;
  for (const auto& [magic, compression] : {std::pair{"\x1f\x8b"sv, ARCHIVE_FILTER_GZIP},
                                           {"BZh"sv, ARCHIVE_FILTER_BZIP2},
                                           {"\xfd\x37\x7a\x58\x5a\0"sv, ARCHIVE_FILTER_XZ},
                                           {"\x28\xb5\x2f\xfd"sv, ARCHIVE_FILTER_ZSTD}})
    if (begin.starts_with(magic)) return compression;
  return ARCHIVE_FILTER_NONE;
}

// Allows one layer of compression; libarchive would undo any number. Reads zip by its directory: in
// a stream, the header of a file may state less than the file contains.
Archive reader(std::string_view begin) {
  Archive made{archive_read_new()};
  for (const auto support :
       {archive_read_support_format_zip_seekable, archive_read_support_format_tar,
        archive_read_support_format_7zip, archive_read_support_filter_none})
    support(made.get());
  if (const int compression = compression_of(begin); compression != ARCHIVE_FILTER_NONE)
    archive_read_append_filter(made.get(), compression);
  return made;
}

// Zero-padded if the file is shorter, and thus not an archive.
std::string beginning_of(const std::string& path) {
  std::string begin(longest_magic, '\0');
  std::ifstream{path, std::ios::binary}.read(begin.data(),
                                             static_cast<std::streamsize>(begin.size()));
  return begin;
}

// Switches the thread to a UTF-8 locale: in the locale "C" libarchive cannot return UTF-8 names.
class NamesInUtf8 {
 public:
  NamesInUtf8()
      : locale_(newlocale(LC_CTYPE_MASK, utf8_locale, nullptr)),
        before_(locale_ == nullptr ? nullptr : uselocale(locale_)) {}
  NamesInUtf8(const NamesInUtf8&) = delete;
  NamesInUtf8& operator=(const NamesInUtf8&) = delete;
  ~NamesInUtf8() {
    // mutant never: this locale is built into glibc, so it always exists
    if (locale_ == nullptr) return;
    uselocale(before_);
    // mutant gone: leaks 240 bytes per archive, which the preset asan reports
    freelocale(locale_);
  }

 private:
  locale_t locale_, before_;
};

std::string message(archive* from) {
  const char* text = archive_error_string(from);
  if (text == nullptr) return "it is broken";
  const std::string_view words = text;
  return grader::harmless(std::string{words.substr(0, words.find_last_not_of(" \n") + 1)});
}

// Returns the path of an entry inside the archive, or nullopt if its name leads out of the archive.
std::optional<std::string> place_of(std::string_view name) {
  // mutant > -> >=: the name is a C string, so a zero follows even a single byte
  if (name.starts_with("/") || name.starts_with("\\") || (name.size() > 1 && name[1] == ':'))
    return std::nullopt;
  std::string path;
  // mutant <= -> <: the omitted part is empty, and empty parts are skipped
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return std::nullopt;
    path += path.empty() ? "" : "/";
    path += part;
  }
  return path;
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_litter(std::string_view path) {
  return path.starts_with("__MACOSX/") || path.find("/__MACOSX/") != std::string_view::npos ||
         last_name(path).starts_with("._") || last_name(path) == ".DS_Store";
}

// Adds all folders of the path.
void note_folders(Tree& tree, const std::string& at, const std::string& path) {
  for (std::size_t slash = path.find('/', at.size()); slash != std::string::npos;
       slash = path.find('/', slash + 1))
    tree.folders.insert(path.substr(0, slash));
}

}  // namespace

Status TreeBuilder::add_entries(archive* from, const std::string& at, int nesting, Spent& spent,
                                std::size_t most_entries, std::uint64_t most_bytes) {
  for (;; ++spent.entries) {
    archive_entry* entry = nullptr;
    const int code = archive_read_next_header(from, &entry);
    if (code == ARCHIVE_EOF) return Done{};
    if (code < ARCHIVE_WARN) return Error{fmt::format("is a broken archive: {}", message(from))};
    if (spent.entries >= most_entries)
      return Error{fmt::format("has more than {} entries; the rest was ignored",
                               grader::grouped(most_entries))};
    if (!has_room(at)) return Done{};
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr) {
      left_unread(at, "has an entry whose name cannot be read; it was left out");
      continue;
    }
    const std::optional<std::string> place = place_of(name);
    if (!place) {
      problem(at, "has an entry whose name leads out of it; it was left out");
      continue;
    }
    const std::string path = at + *place;
    if (place->empty() || is_litter(*place)) continue;
    // Each folder of the path is stored by its full name, so a few entries could fill the memory.
    if (const auto depth = std::count(place->begin(), place->end(), '/');
        depth > limits_.depth || place->size() > limits_.name_bytes) {
      left_unread(
          at, fmt::format("has an entry {} folders deep with a name of {} bytes; it was left out",
                          depth, grader::grouped(place->size())));
      continue;
    }
    note_folders(tree_, at, path);
    if (archive_entry_filetype(entry) == AE_IFDIR) {
      tree_.folders.insert(path);
      continue;
    }
    File file;
    if (archive_entry_mtime_is_set(entry))
      file.modified = std::clamp<std::int64_t>(archive_entry_mtime(entry), 0, end_of_9999);
    const bool link =
        archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK;
    if (link || archive_entry_filetype(entry) != AE_IFREG) {
      file.problem = link ? "is a link, which is not followed" : "is a pipe or a device";
      add_file(path, std::move(file), nesting);
      continue;
    }
    const bool wanted = is_wanted(last_name(path));
    const bool large = is_archive_name(path) || path.ends_with(".yml");
    const std::uint64_t most = large ? limits_.archive_bytes : grader::max_source_bytes;
    // Irrelevant entries are skipped only in a zip. In a stream, skipping would also unpack them,
    // but without a limit.
    const bool skips =
        (archive_format(from) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP && !wanted;
    std::string bytes;
    for (bool ended = skips; !ended;) {
      const void* part = nullptr;
      // mutant 0 -> 1: libarchive sets the value before it is read
      std::size_t size = 0;
      // mutant 0 -> 1: libarchive sets the value before it is read
      la_int64_t offset = 0;
      const int read = archive_read_data_block(from, &part, &size, &offset);
      // At the end, the offset is the file's length: a sparse file may end in a hole.
      ended = read == ARCHIVE_EOF;
      if (!ended &&
          read != ARCHIVE_OK) {  // a wrong checksum is only a warning, but also an error here
        file.problem = archive_entry_is_encrypted(entry) != 0
                           ? "is encrypted"
                           : fmt::format("cannot be unpacked: {}", message(from));
        if (read == ARCHIVE_FATAL && !wanted)
          return Error{fmt::format("is a broken archive: {}", message(from))};
        break;
      }
      spent.unpacked += size;
      const auto begin = static_cast<std::uint64_t>(offset);
      const bool kept = wanted && file.problem.empty();
      if (kept && (begin > most || begin + size > most)) {
        file.problem = fmt::format("is longer than {} bytes", grader::grouped(most));
        bytes.clear();
      } else if (kept && begin < bytes.size() && size > 0) {
        file.problem = "has overlapping parts";
        bytes.clear();
      } else if (kept) {
        // Holes count: they cost an attacker nothing.
        // mutant < -> <=: a hole of zero bytes is not a hole
        if (bytes.size() < begin) {
          spent.unpacked += begin - bytes.size();
          bytes.resize(begin);
        }
        bytes.append(static_cast<const char*>(part), size);
      }
      if (spent.unpacked > most_bytes)
        return Error{fmt::format("unpacks to more than {} bytes; the rest was ignored",
                                 grader::grouped(most_bytes))};
    }
    file.read = wanted && file.problem.empty();
    file.bytes = std::move(bytes);
    add_file(path, std::move(file), nesting);
  }
}

// Loads the files for converting names before the sandbox forbids opening files. They stay loaded
// while these handles are open.
void TreeBuilder::load_charsets() {
  static const struct Charsets {
    locale_t of_zip = newlocale(LC_CTYPE_MASK, utf8_locale, nullptr);
    iconv_t of_7z = iconv_open("UTF-8", "UTF-16LE");
    ~Charsets() {
      // mutant never, != -> ==: runs at the program's end, which frees everything anyway
      // mutant always: this locale is built into glibc, so it always exists
      if (of_zip != nullptr) freelocale(of_zip);
      // mutant never, != -> ==: runs at the program's end, which frees everything anyway
      // mutant always: these charsets come with glibc, so they are always available
      if (of_7z != reinterpret_cast<iconv_t>(-1)) iconv_close(of_7z);
    }
  } charsets;
}

void TreeBuilder::add_archive(std::string_view bytes, const std::string& at, int nesting) {
  const bool is_outermost = !of_archive_;
  if (is_outermost) of_archive_.emplace();
  const NamesInUtf8 names;
  const Archive from = reader(bytes);
  const std::string name = at.substr(0, at.size() - 1);
  if (archive_read_open_memory(from.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    left_unread(name, fmt::format("is not a readable archive: {}", message(from.get())));
  else if (Status read = add_entries(from.get(), at, nesting, *of_archive_,
                                     limits_.entries_of_archive, limits_.unpacked_bytes);
           !read)
    left_unread(name, read.error().message);
  if (is_outermost) of_archive_.reset();
}

Status TreeBuilder::add_class_archive(const std::string& path) {
  const NamesInUtf8 names;
  const Archive from = reader(beginning_of(path));
  // mutant 1 -> 2, 16 -> 17: only changes how much is read at a time
  if (archive_read_open_filename(from.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    return Error{fmt::format(
        "{}: is not a readable archive: {}. Is the download incomplete? Download it again", path,
        message(from.get()))};
  Spent spent;
  if (Status read =
          add_entries(from.get(), "", 1, spent, limits_.entries, limits_.class_archive_bytes);
      !read)
    return Error{fmt::format("{}: {}", path, read.error().message)};
  return Done{};
}

}  // namespace histolab::batch
