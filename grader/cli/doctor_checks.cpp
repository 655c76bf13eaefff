#include "grader/cli/doctor_checks.h"

#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "kernels/worker/processes/program_start.h"

namespace histolab::cli {
namespace {

namespace fs = std::filesystem;
using State = Examined::State;

constexpr double mib = 1024.0 * 1024.0;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string size_of(double bytes) {
  return bytes >= 1024 * mib ? fmt::format("{:.1f} GiB", bytes / (1024 * mib))
                             : fmt::format("{:.0f} MiB", bytes / mib);
}

// Free space for this user. Returns nullopt if the folder does not exist.
std::optional<double> room_in(const std::string& folder) {
  struct statvfs disk {};
  if (statvfs(folder.c_str(), &disk) != 0) return std::nullopt;
  return static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
}

// A number that the kernel reports in a file. Returns nullopt if the file has none.
std::optional<long long> number_in(const std::string& file) {
  long long number = 0;
  std::ifstream in{file};
  return in >> number ? std::optional{number} : std::nullopt;
}

std::string as_root(const std::string& command) {
  return (geteuid() == 0 ? "" : "sudo ") + command;
}

// Tries to trace a child of this process. A container may forbid tracing although the system's
// setting allows it.
bool may_trace_children() {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  const int status = kernels::worker::wait_for_child(child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string install_command(const std::string& package) {
  return as_root("apt-get install " + package);
}

std::string on_path(const std::string& program) {
  const std::string path = variable("PATH");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string candidate = (end == at ? "." : path.substr(at, end - at)) + "/" + program;
    std::error_code ignored;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored))
      return candidate;
    at = end + 1;
  }
  return {};
}

Examined current_folder() {
  constexpr double needed = 16 * mib;
  std::error_code failure;
  const std::string here = fs::current_path(failure).string();
  if (failure)
    return {State::broken, "folder", "the current folder is gone", "it holds work/ and report.json",
            "cd"};
  for (const std::string& folder : {here, here + "/work"})
    if (fs::exists(folder, failure) && access(folder.c_str(), W_OK) != 0)
      return {State::broken, "folder", folder + " cannot be written to",
              "`start` puts kernels into work/, `grade` writes report.json here",
              "mkdir -p ~/histolab && cd ~/histolab"};
  const double room = room_in(here).value_or(0);
  if (room < needed)
    return {State::broken, "folder", fmt::format("{} has {} left", here, size_of(room)),
            "nothing can be written here", "df -h ."};
  return {State::good, "folder", fmt::format("{}, {} left", here, size_of(room)), "", ""};
}

Examined temporary_folder() {
  constexpr double needed = 64 * mib;
  const std::string named = variable("TMPDIR"), folder = named.empty() ? "/tmp" : named;
  const std::string why = "each kernel is compiled there",
                    fix =
                        folder == "/tmp" ? "mkdir -p ~/tmp && export TMPDIR=~/tmp" : "unset TMPDIR";
  const std::optional<double> room = room_in(folder);
  if (!room)
    return {State::broken, "temporary",
            fmt::format("{}{} does not exist", folder, named.empty() ? "" : " (TMPDIR)"), why, fix};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return {State::broken, "temporary", folder + " cannot be written to", why, fix};
  if (*room < needed)
    return {State::broken, "temporary", fmt::format("{} has {} left", folder, size_of(*room)), why,
            "df -h " + folder};
  return {State::good, "temporary", fmt::format("{}, {} left", folder, size_of(*room)), "", ""};
}

Examined memory() {
  constexpr double needed = 512 * mib;
  double free = 0;
  std::ifstream in{"/proc/meminfo"};
  for (std::string key, unit; in >> key; std::getline(in, unit))
    if (key == "MemAvailable:" && in >> free) free *= 1024;
  std::string limit;
  double allowed = free;
  rlimit address_space{};
  if (getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY &&
      static_cast<double>(address_space.rlim_cur) < allowed) {
    allowed = static_cast<double>(address_space.rlim_cur);
    limit = "ulimit -v";
  }
  // In a container, this file belongs to the container's own group.
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const auto most = number_in(file); most && static_cast<double>(*most) < allowed) {
      allowed = static_cast<double>(*most);
      limit = "the container's limit";
    }
  const std::string found =
      fmt::format("{} free{}", size_of(free),
                  limit.empty() ? "" : fmt::format(", {} allowed ({})", size_of(allowed), limit));
  if (free > 0 && allowed < needed)
    return {State::broken, "memory", found, "a compiler and a kernel may take 1 GiB",
            limit == "ulimit -v" ? "ulimit -v unlimited" : ""};
  return {State::good, "memory", found, "", ""};
}

Examined file_watches() {
  constexpr long long instances_needed = 8, watches_needed = 64;
  const auto instances = number_in("/proc/sys/fs/inotify/max_user_instances"),
             watches = number_in("/proc/sys/fs/inotify/max_user_watches");
  if (!instances || !watches)
    return {State::absent, "file watches", "this system reports no limits of inotify",
            "`watch` checks its file a few times a second instead of using notifications", ""};
  const std::string found = fmt::format("{} watches, {} watchers", *watches, *instances);
  if (*instances < instances_needed)
    return {
        State::absent, "file watches", found,
        "`watch` may have to check its file a few times a second instead of using notifications",
        as_root("sysctl fs.inotify.max_user_instances=128")};
  if (*watches < watches_needed)
    return {
        State::absent, "file watches", found,
        "`watch` may have to check its file a few times a second instead of using notifications",
        as_root("sysctl fs.inotify.max_user_watches=8192")};
  return {State::good, "file watches", found, "", ""};
}

Examined terminal() {
  const std::string term = variable("TERM");
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale.empty()) locale = variable(name);
  std::string upper = locale;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  const bool utf8 =
      upper.find("UTF-8") != std::string::npos || upper.find("UTF8") != std::string::npos;
  const std::string found = fmt::format("{}, {}", term.empty() ? "TERM is not set" : term,
                                        locale.empty() ? "no locale" : locale);
  if (term.empty() || term == "dumb")
    return {State::absent, "terminal", found, "no colour, and no progress line",
            "export TERM=xterm-256color"};
  if (!utf8)
    return {State::absent, "terminal", found, "characters that are not ASCII may look wrong",
            "export LC_ALL=C.UTF-8"};
  return {State::good, "terminal", found, "", ""};
}

Examined debugger() {
  const std::string gdb = on_path("gdb");
  if (gdb.empty())
    return {State::absent, "debugger", "no gdb", "`debug` cannot run kernels",
            install_command("gdb")};
  if (may_trace_children()) return {State::good, "debugger", gdb, "", ""};
  const bool by_yama = number_in("/proc/sys/kernel/yama/ptrace_scope").value_or(0) >= 3;
  return {
      State::absent, "debugger", gdb + ", but no process may trace another here",
      "`debug` cannot run kernels",
      by_yama
          ? "echo kernel.yama.ptrace_scope=1 | sudo tee /etc/sysctl.d/10-ptrace.conf, and restart"
          : "docker run --cap-add=SYS_PTRACE ..."};
}

Examined editor() {
  const std::string clangd = on_path("clangd");
  if (clangd.empty())
    return {State::absent, "editor", "no clangd",
            "editors show no errors and no completion in kernels", install_command("clangd")};
  return {State::good, "editor", clangd, "", ""};
}

}  // namespace histolab::cli
