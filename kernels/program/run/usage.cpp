#include "kernels/program/run/usage.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace histolab::kernels::program {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{200};
constexpr int share_of_looks = 10;  // a look may take this part of the time
// A disk with less than that is nearly full. Deleted files that are still open are not in any
// folder, but their bytes are not free.
constexpr std::uint64_t least_free_bytes = 1ull << 30, little_bytes = 64 << 20;

}  // namespace

std::uint64_t UsageLimits::half_of_the_machine() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

Usage::Usage(std::vector<std::string> folders, int memory, const UsageLimits& limits)
    : folders_(std::move(folders)),
      memory_(memory),
      limits_(limits),
      before_(files()),
      free_before_(free_bytes()) {}

bool Usage::exceeds() {
  const Clock::time_point now = Clock::now();
  if (!reason_.empty() || now < next_look_) return !reason_.empty();
  reason_ = look();
  const Clock::time_point end = Clock::now();
  next_look_ = end + std::max<Clock::duration>(between_looks, share_of_looks * (end - now));
  return !reason_.empty();
}

std::string Usage::look() const {
  constexpr double gib = 1ull << 30;
  struct stat memory {};
  if (fstat(memory_, &memory) == 0 &&
      static_cast<std::uint64_t>(memory.st_blocks) * 512 > limits_.memory_bytes)
    return fmt::format(
        "the program filled more than {:.3g} GiB of device memory, half of this machine's memory. "
        "Run it with less data",
        static_cast<double>(limits_.memory_bytes) / gib);
  const Files now = files();
  if (now.count > before_.count + limits_.files || now.unread > before_.unread)
    return fmt::format("the program made more than {} files", limits_.files);
  if (now.bytes > before_.bytes + limits_.file_bytes)
    return fmt::format("the program wrote more than {:.3g} GiB to files",
                       static_cast<double>(limits_.file_bytes) / gib);
  if (const std::uint64_t free = free_bytes();
      free < least_free_bytes && free + little_bytes < free_before_)
    return "the program nearly filled the disk with its files";
  return {};
}

Usage::Files Usage::files() const {
  Files all;
  std::vector<fs::path> open(folders_.begin(), folders_.end());
  while (!open.empty()) {
    std::error_code failure;
    fs::directory_iterator entry(std::exchange(open.back(), {}), failure), end;
    open.pop_back();
    for (; !failure && entry != end; entry.increment(failure)) {
      struct stat about {};
      if (lstat(entry->path().c_str(), &about) != 0) continue;  // it is gone
      ++all.count;
      all.bytes += static_cast<std::uint64_t>(about.st_blocks) * 512;
      if (S_ISDIR(about.st_mode)) open.push_back(entry->path());
    }
    all.unread += failure && failure != std::errc::no_such_file_or_directory;
  }
  return all;
}

std::uint64_t Usage::free_bytes() const {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const std::string& folder : folders_) {
    struct statvfs disk {};
    if (statvfs(folder.c_str(), &disk) == 0)
      least = std::min<std::uint64_t>(least, disk.f_bavail * disk.f_frsize);
  }
  return least;
}

}  // namespace histolab::kernels::program
