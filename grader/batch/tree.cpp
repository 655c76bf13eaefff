#include "grader/batch/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "grader/batch/tree_builder.h"
#include "grader/batch/tree_message.h"
#include "grader/files/read_file.h"
#include "grader/lab/uploaded.h"
#include "grader/sandbox/apart.h"
#include "grader/words/characters.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

// mutant 10 -> 11: an empty suffix has the same length as no suffix
constexpr std::array<std::string_view, 10> archive_endings = {
    ".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".7z"};

std::size_t ending_of(std::string_view name) {
  const std::string low = grader::lower(name);
  std::size_t longest = 0;
  for (const std::string_view ending : archive_endings)
    if (low.size() > ending.size() && low.ends_with(ending))
      longest = std::max(longest, ending.size());
  return longest;
}

File unreadable(std::string why) {
  return {.bytes = {}, .read = false, .problem = std::move(why), .modified = {}};
}

// Reads a file in the folder. Never follows a link, and reads only regular files.
File read_at(int folder, const char* name, std::uint64_t most) {
  // mutant | -> &, | -> & #2, | -> & #3, | -> & #4, without O_RDONLY, without O_NOFOLLOW, without
  // O_NONBLOCK, without O_CLOEXEC, without O_NOCTTY: only matters if the file is replaced between
  // fstatat and openat, or if a program is started meanwhile, which does not happen
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return unreadable(fmt::format("cannot be read: {}", std::strerror(errno)));
  File file;
  struct stat info {};
  // mutant never, || -> &&: only matters if the file is replaced between fstatat and openat, or if
  // a program is started meanwhile, which does not happen
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    // mutant gone: only matters if the file is replaced between fstatat and openat, or if a program
    // is started meanwhile, which does not happen
    file.problem = "is not a regular file";
  } else if (static_cast<std::uint64_t>(info.st_size) > most) {
    file.problem = fmt::format("is {} bytes long; at most {} are read",
                               grader::grouped(static_cast<std::uint64_t>(info.st_size)),
                               grader::grouped(most));
  } else {
    file.modified = info.st_mtime;
    // mutant 65536 -> 65537: only changes how much is read at a time
    std::array<char, 65536> part;
    // mutant 0 -> 1: the value is read from input before its first use
    ssize_t got = 0;
    std::string bytes;
    // mutant <= -> <: only matters if the file grows between fstat and read, or if the disk fails
    while ((got = read(fd, part.data(), part.size())) > 0 && bytes.size() <= most)
      bytes.append(part.data(), static_cast<std::size_t>(got));
    // mutant && -> ||: only matters if the file grows between fstat and read, or if the disk fails
    file.read = got >= 0 && bytes.size() <= most;
    file.bytes = std::move(bytes);
    // mutant never: only matters if the file grows between fstat and read, or if the disk fails
    if (!file.read)
      // mutant < -> <=, 0 -> 1: only matters if the file grows between fstat and read, or if the
      // disk fails
      file.problem = got < 0 ? fmt::format("cannot be read: {}", std::strerror(errno))
                             : std::string{"grows while it is read"};
  }
  close(fd);
  return file;
}

struct Share {
  std::string place;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

// Returns the entry of the class with the most bytes, or the most files if there are no bytes.
// Enters folders that contain everything.
Share largest_in(const Tree& tree) {
  std::map<std::string, Share> shares;
  for (std::string around; shares.size() <= 1;) {
    shares.clear();
    for (const auto& [path, file] : tree.files) {
      Share& share = shares[path.substr(0, path.find('/', around.size()))];
      ++share.files;
      share.bytes += file.bytes.size();
    }
    if (shares.empty() || !tree.folders.contains(shares.begin()->first)) break;
    around = shares.begin()->first + "/";
  }
  Share largest;
  for (auto& [place, share] : shares)
    if (std::pair{share.bytes, share.files} > std::pair{largest.bytes, largest.files}) {
      largest = std::move(share);
      largest.place = place;
    }
  return largest;
}

}  // namespace

bool is_archive_name(std::string_view name) { return ending_of(name) > 0; }
std::string without_archive_ending(const std::string& name) {
  return name.substr(0, name.size() - ending_of(name));
}

bool is_wanted(std::string_view name) {
  return is_work(name) || grader::is_plain_text(std::string(name));
}

bool may_be_kernel(const std::string& name, const File& file) {
  if (grader::meant_kernel(name) || grader::is_other_source(name)) return true;
  if (!file.read || !grader::is_plain_text(name)) return false;
  const Result<std::string> text = file.bytes.text();
  return text && grader::has_kernel(*text);
}

bool is_work(std::string_view name) {
  return grader::meant_kernel(std::string(name)) || name.ends_with(".quiz.json") ||
         name == "quiz.json" || name == "submission_metadata.yml" || name == "histolab-pack.json" ||
         name == "onlinetext.html" || name.ends_with("_onlinetext.html") ||
         name.find("_assignsubmission_onlinetext_") != std::string_view::npos ||
         is_archive_name(name);
}

bool TreeBuilder::has_room(const std::string& at) {
  if (++class_.entries <= limits_.entries) return true;
  is_full_ = true;
  left_unread(at, fmt::format("has more than {} files, folders and links; the rest was ignored",
                              grader::grouped(limits_.entries)));
  return false;
}

void TreeBuilder::add_file(const std::string& path, File file, int nesting) {
  if (file.read && is_archive_name(path)) {
    tree_.folders.insert(path);
    tree_.archives.insert(path);
    if (file.modified) tree_.archive_times[path] = *file.modified;
    if (nesting >= limits_.nesting)
      return left_unread(
          path, fmt::format("is an archive in an archive, {} deep; it was not opened", nesting));
    const std::string bytes = *file.bytes.text();  // still in memory
    return limits_.apart && !of_archive_ ? add_archive_apart(bytes, path, nesting + 1)
                                         : add_archive(bytes, path + "/", nesting + 1);
  }
  if (of_archive_ && of_archive_->kept + file.bytes.size() > limits_.kept_bytes_of_archive)
    file = unreadable(
        fmt::format("was not read: the files read from the archive have more than {} bytes",
                    grader::grouped(limits_.kept_bytes_of_archive)));
  if (class_.kept + file.bytes.size() > limits_.kept_bytes) {
    is_full_ = true;
    file = unreadable(fmt::format("was not read: the class has more than {} bytes",
                                  grader::grouped(limits_.kept_bytes)));
  }
  if (of_archive_) of_archive_->kept += file.bytes.size();
  class_.kept += file.bytes.size();
  keep(path, std::move(file));
}

void TreeBuilder::keep(const std::string& path, File file) {
  if (!is_apart_ && !failed_ && !file.bytes.empty()) {
    if (spool_ == nullptr) {
      Result<std::shared_ptr<grader::Spool>> made = grader::Spool::make();
      if (made)
        spool_ = std::move(*made);
      else
        failed_ = made.error();
    }
    if (spool_ != nullptr)
      if (Status taken = spool_->take(file.bytes); !taken) failed_ = taken.error();
  }
  tree_.files[path] = std::move(file);
}

void TreeBuilder::add_archive_apart(const std::string& bytes, const std::string& path,
                                    int nesting) {
  load_charsets();
  const Result<std::string> answer = sandbox::done_apart([&] {
    TreeBuilder inner{limits_};
    inner.is_apart_ = true;
    inner.add_archive(bytes, path + "/", nesting);
    return to_message(std::move(inner).tree());
  });
  Result<Tree> read =
      answer ? tree_from_message(*answer, path)
             : Result<Tree>{Error{fmt::format("cannot be unpacked: {}", answer.error().message)}};
  if (!read) return left_unread(path, read.error().message);
  class_.entries += read->files.size() + read->folders.size();
  for (auto& [at, file] : read->files) class_.kept += file.bytes.size(), keep(at, std::move(file));
  is_full_ = is_full_ || class_.entries > limits_.entries || class_.kept > limits_.kept_bytes;
  tree_.folders.merge(read->folders);
  tree_.archives.merge(read->archives);
  tree_.archive_times.merge(read->archive_times);
  tree_.problems.merge(read->problems);
  tree_.unread.merge(read->unread);
}

Result<Tree> TreeBuilder::whole_tree() && {
  if (failed_) return *failed_;
  if (!is_full_) return std::move(tree_);
  const auto [place, files, bytes] = largest_in(tree_);
  return Error{fmt::format(
      "exceeds the limits of a class ({} files, folders and links, {} bytes of files that "
      "are read). Most of it is in {} ({} files, {} bytes): move that away, and grade it "
      "separately",
      grader::grouped(limits_.entries), grader::grouped(limits_.kept_bytes),
      grader::harmless(place), grader::grouped(files), grader::grouped(bytes))};
}

Status TreeBuilder::add_folder(int descriptor, const std::string& at, int depth) {
  const auto unreadable_for = [](int why) {
    return Error{fmt::format("cannot be read: {}", std::strerror(why))};
  };
  DIR* folder = fdopendir(descriptor);
  if (folder == nullptr) {
    const int why = errno;
    close(descriptor);
    return unreadable_for(why);
  }
  std::vector<std::string> names;
  errno = 0;  // readdir reports a failure only by errno
  for (; const dirent* entry = readdir(folder); errno = 0)
    if (const std::string_view name = entry->d_name; name != "." && name != "..")
      names.emplace_back(name);
  if (const int why = errno; why != 0) {
    closedir(folder);
    return unreadable_for(why);
  }
  std::sort(names.begin(), names.end());  // the order of a file system is arbitrary
  const int here = dirfd(folder);
  for (const std::string& name : names) {
    if (name == "__MACOSX" || name.starts_with("._") || name == ".DS_Store") continue;
    const std::string path = at + name;
    if (!has_room(at)) break;
    struct stat info {};
    if (fstatat(here, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      // mutant gone: only matters if the file is removed between readdir and fstatat
      tree_.files[path] = unreadable(fmt::format("cannot be read: {}", std::strerror(errno)));
    } else if (S_ISDIR(info.st_mode)) {
      tree_.folders.insert(path);
      if (depth >= limits_.depth) {
        left_unread(path, fmt::format("is {} folders deep; it was ignored", depth));
        continue;
      }
      // mutant | -> &, | -> & #2, | -> & #3, without O_RDONLY, without O_DIRECTORY, without
      // O_NOFOLLOW, without O_CLOEXEC: only matters if the file is replaced between fstatat and
      // openat, or if a program is started meanwhile, which does not happen
      const int below = openat(here, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (below < 0)
        left_unread(path, fmt::format("cannot be read: {}", std::strerror(errno)));
      else if (Status added = add_folder(below, path + "/", depth + 1); !added)
        left_unread(path, added.error().message);
    } else if (S_ISLNK(info.st_mode)) {
      tree_.files[path] = unreadable("is a symbolic link, which is not followed");
    } else if (!S_ISREG(info.st_mode)) {
      tree_.files[path] = unreadable("is a pipe or a device");
    } else if (!is_wanted(name)) {
      tree_.files[path] = File{};
    } else {
      add_file(path,
               read_at(here, name.c_str(),
                       is_archive_name(name) || name.ends_with(".yml") ? limits_.archive_bytes
                                                                       : grader::max_source_bytes),
               0);
    }
  }
  closedir(folder);
  return Done{};
}

Result<Tree> read_tree(const std::string& path, const TreeLimits& limits) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0)
    return Error{
        fmt::format("{}: {}", path,
                    errno == ENOENT ? "there is no such folder or archive" : std::strerror(errno))};
  TreeBuilder builder{limits};
  if (S_ISDIR(info.st_mode)) {
    // mutant | -> &, | -> & #2, without O_RDONLY, without O_DIRECTORY, without O_CLOEXEC: only
    // matters if the file is replaced between stat and open, or if a program is started meanwhile,
    // which does not happen
    const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return Error{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
    if (Status added = builder.add_folder(folder, "", 0); !added)
      return Error{fmt::format("{}: {}", path, added.error().message)};
  } else if (!S_ISREG(info.st_mode) || !is_archive_name(path)) {
    return Error{
        fmt::format("{}: is neither a folder nor an archive (zip, tar, tar.gz, ...)", path)};
  } else if (Status read = builder.add_class_archive(path); !read) {
    return read.error();
  }
  Result<Tree> tree = std::move(builder).whole_tree();
  if (!tree) return Error{fmt::format("{}: {}", path, tree.error().message)};
  return tree;
}

}  // namespace histolab::batch
