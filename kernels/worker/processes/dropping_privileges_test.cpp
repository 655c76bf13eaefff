// Tests that a worker really loses each privilege that it drops, and not earlier than documented.
// Each part runs in its own process, because dropped privileges do not come back.
#include "kernels/worker/processes/dropping_privileges.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/worker/processes/descriptor.h"
#include "kernels/worker/processes/process.h"
#include "kernels/worker/processes/temporary_folder.h"
#include "kernels/worker/testing/from_child.h"
#include "kernels/worker/testing/landlock.h"

using namespace histolab::kernels::worker;
using histolab::Result;
using histolab::kernels::testing::from_child;
using histolab::kernels::testing::has_landlock;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::vector<sock_filter>& program) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(program.data());
  return {first, first + program.size() * sizeof(sock_filter)};
}

// Returns a filter that fails these calls with this errno and allows all others.
Bytes filter_that_refuses(const std::vector<std::uint32_t>& calls, std::uint32_t error) {
  std::vector<sock_filter> program = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)}};
  for (const std::uint32_t call : calls) {
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call});
    program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error});
  }
  program.push_back({BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW});
  return bytes_of(program);
}

// A filter like that of grader/sandbox: it allows no further filter.
const Bytes usual = filter_that_refuses({SYS_getppid, SYS_seccomp}, ERANGE);
const Bytes invalid(sizeof(sock_filter), 0), none;

// Reports if the filter is active.
std::string asked() {
  if (syscall(SYS_getppid) >= 0) return " allowed";
  return errno == ERANGE ? " refused" : " failed";
}

Descriptor file_of(const Bytes& bytes) {
  Descriptor file(memfd_create("filter", MFD_CLOEXEC));
  if (file.get() < 0 ||
      write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    std::abort();
  return file;
}

// Puts the filter at its descriptor and closes all others between standard error and 100.
void put_filter(const Bytes& filter) {
  const int out_of_the_way = fcntl(file_of(filter).get(), F_DUPFD, 100);
  close_range(3, 99, 0);
  dup2(out_of_the_way, serve_filter);
}

std::string open_descriptors() {
  std::string open;
  for (int descriptor = 3; descriptor < 100; ++descriptor)
    if (fcntl(descriptor, F_GETFD) >= 0) open += " " + std::to_string(descriptor);
  return open;
}

// Lists the operations that succeed in a folder that holds `file`, `old` and an empty `folder`.
// Making device files needs root and does not work everywhere.
std::string done_in(const std::string& folder) {
  const auto at = [&](const char* name) { return folder + "/" + name; };
  const auto opened = [](const std::string& path, int how) {
    return Descriptor(open(path.c_str(), how | O_CLOEXEC)).get() >= 0;
  };
  const auto bound = [](const std::string& path) {
    const Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  };
  const auto ran = [](const char* program) {
    const pid_t child = fork();
    if (child == 0) {
      execl(program, program, nullptr);
      _exit(1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  const std::pair<const char*, std::function<bool()>> deeds[] = {
      {"read", [&] { return opened(at("file"), O_RDONLY); }},
      {"write", [&] { return opened(at("file"), O_WRONLY); }},
      {"list", [&] { return opened(folder, O_RDONLY | O_DIRECTORY); }},
      {"run", [&] { return ran("/bin/true"); }},
      {"file", [&] { return mknod(at("new file").c_str(), S_IFREG | 0600, 0) == 0; }},
      {"folder", [&] { return mkdir(at("new folder").c_str(), 0700) == 0; }},
      {"pipe", [&] { return mkfifo(at("pipe").c_str(), 0600) == 0; }},
      {"link", [&] { return symlink("/etc/passwd", at("link").c_str()) == 0; }},
      {"socket", [&] { return bound(at("socket")); }},
      {"remove", [&] { return unlink(at("old").c_str()) == 0; }},
      {"remove folder", [&] { return rmdir(at("folder").c_str()) == 0; }},
      {"characters", [&] { return mknod(at("zero").c_str(), S_IFCHR | 0600, makedev(1, 5)) == 0; }},
      {"blocks", [&] { return mknod(at("disk").c_str(), S_IFBLK | 0600, makedev(8, 0)) == 0; }},
  };
  std::string done;
  for (const auto& [name, deed] : deeds)
    if (deed()) done += std::string(done.empty() ? "" : ", ") + name;
  return done;
}

std::string done_in_new_folder(const std::function<void()>& before) {
  Result<TemporaryFolder> folder = TemporaryFolder::with("file", "text");
  REQUIRE(folder);
  const std::string path = folder->path();
  REQUIRE_EQ(mknod((path + "/old").c_str(), S_IFREG | 0600, 0), 0);
  REQUIRE_EQ(mkdir((path + "/folder").c_str(), 0700), 0);
  return from_child([&] {
    before();
    return done_in(path);
  });
}

}  // namespace

TEST_CASE("a worker that has dropped file access cannot open, create, remove or run files") {
  if (!has_landlock()) {
    MESSAGE(
        "skipped: this system has no Landlock; the filter of system calls alone keeps a kernel "
        "from files");
    return;
  }
  const std::string before = done_in_new_folder([] {});
  // Else nothing was tried.
  CHECK(
      before.starts_with("read, write, list, run, file, folder, pipe, link, socket, remove, remove "
                         "folder"));
  const auto gives_up = [] {
    put_filter(usual);
    if (!drop_files()) _exit(2);
  };
  CHECK_EQ(done_in_new_folder(gives_up), "");
}

TEST_CASE(
    "a worker that drops file access is not dumpable, gains no privileges, and has no "
    "descriptors") {
  const auto told = [](bool gives_up) {
    return from_child([&] {
      put_filter(usual);
      if (gives_up && !drop_files()) return std::string("not read");
      const int dumpable = prctl(PR_GET_DUMPABLE),
                no_new_rights = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
      return "dumpable " + std::to_string(dumpable) + ", no new rights " +
             std::to_string(no_new_rights) + ", descriptors" + open_descriptors();
    });
  };
  CHECK(told(false).ends_with(", descriptors 4"));
  CHECK_EQ(told(true), "dumpable 0, no new rights 1, descriptors");
}

TEST_CASE("an empty, truncated or overlong filter is refused") {
  const auto read = [](const Bytes& filter) {
    return from_child([&] {
      put_filter(filter);
      return std::string(drop_files() ? "read" : "not read");
    });
  };
  CHECK_EQ(read(usual), "read");
  const Bytes longest = bytes_of(std::vector<sock_filter>(4096)),
              too_long = bytes_of(std::vector<sock_filter>(4097)), odd(13, 0);
  CHECK_EQ(read(longest), "read");
  for (const Bytes& wrong : {none, odd, too_long}) {
    CAPTURE(wrong.size());
    CHECK_EQ(read(wrong), "not read");
  }
}

TEST_CASE("the filter applies when system calls are dropped, and not earlier") {
  CHECK_EQ(from_child([] {
             put_filter(usual);
             std::string text = drop_files() ? "read:" : "not read:";
             text += asked();
             text += drop_system_calls() ? ", taken:" : ", not taken:";
             return text + asked();
           }),
           "read: allowed, taken: refused");
}

TEST_CASE("a worker that cannot apply its filter reports that") {
  CHECK_EQ(from_child([] {
             put_filter(invalid);
             if (!drop_files()) return std::string("not read");
             return (drop_system_calls() ? "taken:" : "not taken:") + asked();
           }),
           "not taken: allowed");
}

TEST_CASE("without a filter all system calls stay allowed") {
  CHECK_EQ(from_child([] {
             close_range(3, 99, 0);
             std::string text = drop_files() ? "read:" : "not read:";
             text += drop_system_calls() ? " taken:" : " not taken:";
             return text + asked() + ", " + std::to_string(prctl(PR_GET_SECCOMP));
           }),
           "read: taken: allowed, 0");
}

TEST_CASE("the exit status of a trial run says whether the filter can be applied") {
  const auto tried = [](const std::vector<std::pair<int, int>>& descriptors) {
    ProcessSpec spec;
    spec.command = {HISTOLAB_BIN "/histolab-worker", "try"};
    spec.descriptors = descriptors;
    // A sanitizer would scan memory that is no longer accessible, and it reserves terabytes.
    spec.environment = {"ASAN_OPTIONS=detect_leaks=0"};
    spec.limits.data_bytes = ~0ull;
    const Result<ProcessResult> ran = run_process(spec);
    REQUIRE(ran);
    REQUIRE_EQ(ran->end, ProcessResult::End::exited);
    return std::pair{ran->code, ran->errors};
  };
  const Descriptor filter = file_of(usual), wrong = file_of(invalid), empty = file_of(none);
  const std::pair could{0, std::string()};
  CHECK(tried({}) == could);
  CHECK(tried({{filter.get(), serve_filter}}) == could);
  const auto [code, errors] = tried({{wrong.get(), serve_filter}});
  CHECK_EQ(code, 1);
  CHECK_EQ(
      errors,
      "histolab-worker: cannot make a child, or that cannot take its filter of system calls\n");
  Pipe pipe;
  REQUIRE(pipe.open());
  for (const int unreadable : {empty.get(), pipe.read.get()})
    CHECK_EQ(tried({{unreadable, serve_filter}}).first, 3);
}
