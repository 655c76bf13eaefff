// The exact commands that start confined processes, in grader/golden/sandbox.txt and
// sandbox_of_user.txt. Each of their words forbids something.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/obstacle.h"
#include "grader/sandbox/sandbox.h"
#include "grader/sandbox/testing/places.h"
#include "grader/testing/files.h"
#include "kernels/worker/testing/from_child.h"

namespace histolab::sandbox {
namespace {

namespace fs = std::filesystem;
using grader::testing::TemporaryFolder;
using kernels::worker::ProcessSpec;
using kernels::worker::Purpose;
using testing::places;
using Words = std::vector<std::string>;

// The options of bubblewrap or histolab-confine, each with its arguments.
std::vector<Words> options_of(const Words& command) {
  static const std::set<std::string> beginnings = {"uid",       "processes", "read",  "write",
                                                   "directory", "addresses", "filter"};
  std::vector<Words> options;
  for (const std::string& word : command) {
    if (options.empty() || options.back().back() == "--" || word.starts_with("--") ||
        beginnings.contains(word))
      options.emplace_back();
    options.back().push_back(word);
  }
  return options;
}

// True for options that depend on the machine: the folders of programs and libraries, the GPUs, and
// the folders above a visible path.
bool is_of_machine(const Words& option) {
  static const std::set<std::string> folders = {"/usr",   "/bin",    "/lib", "/lib32",
                                                "/lib64", "/libx32", "/sbin"};
  return folders.contains(option.back()) || option.front() == "--dir" ||
         option == Words{"--perms", "0755"} || option.back().starts_with("/dev/nvidia");
}

std::string as_text(const Words& command, const std::map<std::string, std::string>& names) {
  std::string text;
  for (Words option : options_of(command)) {
    if (is_of_machine(option)) continue;
    for (std::string& word : option)
      if (const auto found = names.find(word); found != names.end()) word = found->second;
    text += fmt::format("  {}\n", fmt::join(option, " "));
  }
  return text;
}

// The command of each tier. Empty if this machine lacks one.
std::string words_of_each_tier(const Places& where, const char* whose) {
  std::string text = fmt::format(
      "The options that confine a process, one per line (grader/sandbox/sandbox.cpp); started by "
      "{}. Options that differ from machine to machine are left out.\n",
      whose);
  for (const Tier tier : {Tier::full, Tier::reduced}) {
    const Sandbox sandbox = Sandbox::best(where, tier);
    if (sandbox.tier() != tier) return {};
    for (const auto& [called, purpose] : {std::pair{"compile", Purpose::compile},
                                          {"serve", Purpose::serve},
                                          {"gpu", Purpose::gpu},
                                          {"program", Purpose::program}})
      for (const bool everything : {false, true}) {
        const TemporaryFolder folder, reads, writes;
        ProcessSpec spec;
        spec.command = {"g++", "-c"};
        spec.environment = {"PATH=/usr/bin:/bin", "TMPDIR=/somewhere"};
        spec.purpose = purpose;
        if (everything) {
          spec.directory = folder.path();
          spec.reads = {reads.path()};
          if (purpose == Purpose::program) {
            spec.writes = {writes.path()};
            spec.starts_in = reads.path();
          }
          spec.fixed_addresses = true;
        }
        const Result<ProcessSpec> confined = sandbox.confine(spec);
        if (!confined) return confined.error().message;
        const auto user = std::ranges::find(confined->command, "uid");
        std::map<std::string, std::string> names = {
            {folder.path(), "FOLDER"},  {reads.path(), "READS"},  {writes.path(), "WRITES"},
            {where.confine, "CONFINE"}, {where.worker, "WORKER"}, {where.include_dir, "INCLUDE"}};
        if (user != confined->command.end()) names.emplace(*(user + 1), "USER");
        text += fmt::format("\n{}, {}{}\n{}", name(tier), called,
                            everything ? ", with a folder, one to read, and fixed addresses" : "",
                            as_text(confined->command, names));
        text += fmt::format("  environment: {}\n", fmt::join(confined->environment, " "));
        for (const auto& [ours, its] : confined->descriptors)
          text += fmt::format("  descriptor {}\n", its);
      }
  }
  return text;
}

void compare(const std::string& golden, const std::string& text) {
  if (text.empty())
    MESSAGE("skipped: this machine lacks a tier, so the lists are not compared");
  else
    CHECK(grader::testing::matches_golden(golden, text));
}

TEST_CASE("started by root, each tier's command is the one in the golden file") {
  if (geteuid() != 0) {
    MESSAGE("skipped: only root can compare the lists of root's sandbox");
    return;
  }
  compare("sandbox.txt", words_of_each_tier(places(), "root"));
}

TEST_CASE("started by an ordinary user, each tier's command is the one in the other golden file") {
  utsname system{};
  if (uname(&system) != 0 || !counts_processes_by_namespace(system.release)) {
    MESSAGE("skipped: an older Linux gives another list");
    return;
  }
  constexpr const char* whose = "an ordinary user";
  if (geteuid() != 0) return compare("sandbox_of_user.txt", words_of_each_tier(places(), whose));
  // Root becomes an ordinary user. That user may not see the build folder.
  const TemporaryFolder copies;
  fs::permissions(copies.path(), fs::perms::all);
  const Places here = places();
  const Places there = {copies.at("histolab-confine"), copies.at("histolab-worker"),
                        copies.at("include"), here.cuda};
  fs::copy(here.confine, there.confine);
  fs::copy(here.worker, there.worker);
  fs::copy(here.include_dir, there.include_dir, fs::copy_options::recursive);
  compare("sandbox_of_user.txt", kernels::testing::from_child([&]() -> std::string {
            constexpr uid_t user = 60600;
            if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 ||
                setresuid(user, user, user) != 0)
              return "cannot become an ordinary user";
            setenv("TMPDIR", copies.path().c_str(), 1);
            return words_of_each_tier(there, whose);
          }));
}

TEST_CASE("no process gets a folder that shows the machine") {
  const Sandbox sandbox = Sandbox::best(places());
  if (sandbox.tier() == Tier::none) {
    MESSAGE("skipped: this machine has no tier but `none`");
    return;
  }
  for (const char* folder : {"/", "//", "/tmp/..", "/proc", "/proc/self/", "/sys/kernel", "/dev"}) {
    CAPTURE(folder);
    ProcessSpec reads, writes;
    reads.command = writes.command = {"true"};
    reads.reads = writes.writes = {folder};
    CHECK_FALSE(sandbox.confine(reads));
    CHECK_FALSE(sandbox.confine(writes));
  }
  ProcessSpec spec;
  spec.command = {"true"};
  spec.reads = {"/"};
  CHECK_EQ(
      sandbox.confine(spec).error().message,
      "a program may not see /: change to the folder of your program, and keep its files there");
}

TEST_CASE(
    "a folder in /usr needs no mount, and a program is searched for where the sandbox has it") {
  const Sandbox sandbox = Sandbox::best(places());
  if (sandbox.tier() == Tier::none) {
    MESSAGE("skipped: this machine has no tier but `none`");
    return;
  }
  ProcessSpec spec;
  spec.command = {"sh"};
  spec.reads = {"/usr/share"};
  spec.confinement = &sandbox;
  const Result<ProcessSpec> confined = sandbox.confine(spec);
  REQUIRE(confined);
  CHECK_EQ(confined->command.back(), "/usr/bin/sh");
  CHECK_EQ(confined->confinement, nullptr);  // one tier suffices
  if (sandbox.tier() == Tier::full)
    CHECK_EQ(std::ranges::count(confined->command, "/usr/share"), 0);
  spec.command = {"no-such-program"};
  // The first folder of the search.
  CHECK_EQ(sandbox.confine(spec)->command.back(), "/usr/local/bin/no-such-program");
  spec.command = {"/opt/own/program", "word"};
  CHECK_EQ(sandbox.confine(spec)->command.back(), "word");
  CHECK_EQ(*(sandbox.confine(spec)->command.end() - 2), "/opt/own/program");
}

TEST_CASE("without a tier a process is started unconfined") {
  ProcessSpec spec;
  spec.command = {"g++", "-c"};
  const Sandbox none = Sandbox::best(places(), Tier::none);
  const Result<ProcessSpec> confined = none.confine(spec);
  REQUIRE(confined);
  CHECK_EQ(confined->command, spec.command);
  CHECK(confined->descriptors.empty());
  CHECK(none.obstacles().empty());
}

}  // namespace
}  // namespace histolab::sandbox
