// histolab-confine: see confine.h. It runs with the rights of the grader, so it is small and never
// reads a student's bytes.
#include <fcntl.h>
#include <grp.h>
#include <linux/landlock.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "grader/sandbox/confine.h"
#include "kernels/worker/processes/call_filter.h"

namespace {

using namespace histolab::sandbox;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "histolab-confine: %s: %s\n", what, std::strerror(errno));
  _exit(could_not_confine);
}

std::uint64_t number(const char* word) {
  char* end = nullptr;
  errno = EINVAL;
  const std::uint64_t value = std::strtoull(word, &end, 10);
  if (*word == 0 || *end != 0) fail(word);
  return value;
}

void become_user(std::uint64_t uid) {
  const auto user = static_cast<uid_t>(uid);
  const auto group = static_cast<gid_t>(uid);
  if (setgroups(0, nullptr) != 0 || setresgid(group, group, group) != 0 ||
      setresuid(user, user, user) != 0)
    fail("cannot become an unprivileged user");
}

// As the new user, since the folder may be private to that user.
void enter(const char* folder) {
  if (chdir(folder) != 0) fail(folder);
}

void limit_processes(std::uint64_t most) {
  const rlimit both{most, most};
  if (setrlimit(RLIMIT_NPROC, &both) != 0) fail("cannot limit the number of processes");
}

constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t writing = reading | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG;
constexpr std::uint64_t everything = writing | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

class Landlock {
 public:
  // A missing path needs no rule.
  void allow(const char* path, std::uint64_t access) {
    // mutant < -> <=, 0 -> 1: run_process opens /dev/null as descriptor 0, so no later file gets
    // that number
    if (rules_ < 0) begin();
    landlock_path_beneath_attr rule{};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    // mutant < -> <=, 0 -> 1: run_process opens /dev/null as descriptor 0, so no later file gets
    // that number
    if (rule.parent_fd < 0) return;
    struct stat about {};
    constexpr std::uint64_t of_files =
        LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    rule.allowed_access =
        fstat(rule.parent_fd, &about) == 0 && S_ISDIR(about.st_mode) ? access : access & of_files;
    if (syscall(SYS_landlock_add_rule, rules_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      fail(path);
    // mutant gone: it is close-on-exec, so the next program does not inherit it either way
    close(rule.parent_fd);
  }
  void enforce() const {
    // mutant < -> <=, 0 -> 1: run_process opens /dev/null as descriptor 0, so no later file gets
    // that number
    if (rules_ < 0) return;
    if (syscall(SYS_landlock_restrict_self, rules_, 0) != 0)
      fail("cannot drop access to files (Landlock)");
    // mutant gone: Linux opens a ruleset as close-on-exec, so the next program does not inherit it
    // either way
    close(rules_);
  }

 private:
  void begin() {
    landlock_ruleset_attr all{};
    all.handled_access_fs = everything;
    rules_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
    // mutant < -> <=, 0 -> 1: run_process opens /dev/null as descriptor 0, so no later file gets
    // that number
    if (rules_ < 0) fail("this system has no Landlock");
  }
  // mutant 1 -> 2: every negative number means that there is no ruleset yet
  int rules_ = -1;
};

void take_filter(int descriptor) {
  static histolab::kernels::worker::CallFilter filter;
  if (!filter.read(descriptor)) fail("cannot read the filter of system calls");
  close(descriptor);
  if (!filter.take()) fail("cannot take the filter of system calls");
}

}  // namespace

int main(int count, char** words) {
  Landlock landlock;
  int filter = -1, at = 1;
  char* name = nullptr;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("cannot drop privileges");
  // mutant 1 -> 2: the last two words are `--` and a program; otherwise nothing runs
  for (; at + 1 < count && std::strcmp(words[at], "--") != 0; at += 2) {
    const char* value = words[at + 1];
    if (std::strcmp(words[at], "uid") == 0)
      become_user(number(value));
    else if (std::strcmp(words[at], "processes") == 0)
      limit_processes(number(value));
    else if (std::strcmp(words[at], "read") == 0)
      landlock.allow(value, reading);
    else if (std::strcmp(words[at], "write") == 0)
      landlock.allow(value, writing);
    else if (std::strcmp(words[at], "directory") == 0)
      enter(value);
    else if (std::strcmp(words[at], "addresses") == 0)
      personality(ADDR_NO_RANDOMIZE);
    else if (std::strcmp(words[at], "name") == 0)
      name = words[at + 1];
    else if (std::strcmp(words[at], "filter") == 0)
      filter = static_cast<int>(number(value));
    else
      break;
  }
  if (at + 1 >= count || std::strcmp(words[at], "--") != 0) {
    std::fputs("histolab-confine is started by histolab, not by hand: try `histolab doctor`\n",
               stderr);
    return 2;
  }
  landlock.enforce();
  if (filter >= 0) take_filter(filter);
  const char* const program = words[at + 1];
  if (name != nullptr) words[at + 1] = name;
  execv(program, words + at + 1);
  // Like a shell: a missing program has another status than one that may not be executed.
  const int status = errno == ENOENT ? 127 : could_not_confine;
  std::fprintf(stderr, "histolab-confine: %s: %s\n", program, std::strerror(errno));
  return status;
}
