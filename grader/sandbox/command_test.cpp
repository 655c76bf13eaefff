// What a confined process is started with, word for word, in grader/golden/sandbox.txt: each of these words keeps somebody from something.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/sandbox.h"
#include "grader/sandbox/testing/places.h"
#include "grader/testing/files.h"

namespace histolab::sandbox {
namespace {

using grader::testing::TemporaryFolder;
using kernels::worker::ProcessSpec;
using kernels::worker::Purpose;
using testing::places;
using Words = std::vector<std::string>;

// An option of bubblewrap's or histolab-confine's with what belongs to it, one after another.
std::vector<Words> options_of(const Words& command) {
  static const std::set<std::string> beginnings = {"uid", "processes", "read", "write", "directory", "addresses", "filter"};
  std::vector<Words> options;
  for (const std::string& word : command) {
    if (options.empty() || options.back().back() == "--" || word.starts_with("--") || beginnings.contains(word)) options.emplace_back();
    options.back().push_back(word);
  }
  return options;
}

// Where a distribution has its programs and libraries, which GPUs there are, and the folders above a place that is shown.
bool is_of_machine(const Words& option) {
  static const std::set<std::string> folders = {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"};
  return folders.contains(option.back()) || option.front() == "--dir" || option == Words{"--perms", "0755"} || option.back().starts_with("/dev/nvidia");
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

TEST_CASE("each tier starts a process with the words that stand in the list") {
  if (geteuid() != 0) {
    MESSAGE("only root's are in the list");
    return;
  }
  std::string text = "What a process is confined by, one option a line (grader/sandbox/sandbox.cpp); started by root, without what differs from machine to machine.\n";
  for (const Tier tier : {Tier::full, Tier::reduced}) {
    const Sandbox sandbox = Sandbox::best(places(), tier);
    if (sandbox.tier() != tier) {
      MESSAGE("this machine lacks a tier: the list was not compared");
      return;
    }
    for (const auto& [called, purpose] : {std::pair{"compile", Purpose::compile}, {"serve", Purpose::serve}, {"gpu", Purpose::gpu}})
      for (const bool everything : {false, true}) {
        const TemporaryFolder folder, reads;
        ProcessSpec spec;
        spec.command = {"g++", "-c"};
        spec.environment = {"PATH=/usr/bin:/bin", "TMPDIR=/somewhere"};
        spec.purpose = purpose;
        if (everything) spec.directory = folder.path(), spec.reads = reads.path(), spec.fixed_addresses = true;
        const Result<ProcessSpec> confined = sandbox.confine(spec);
        REQUIRE(confined);
        const auto user = std::ranges::find(confined->command, "uid");
        std::map<std::string, std::string> names = {{folder.path(), "FOLDER"}, {reads.path(), "READS"}, {places().confine, "CONFINE"}, {places().worker, "WORKER"}, {places().include_dir, "INCLUDE"}};
        if (user != confined->command.end()) names.emplace(*(user + 1), "USER");
        text += fmt::format("\n{}, {}{}\n{}", name(tier), called, everything ? ", with a folder, one to read, and fixed addresses" : "", as_text(confined->command, names));
        text += fmt::format("  environment: {}\n", fmt::join(confined->environment, " "));
        for (const auto& [ours, its] : confined->descriptors) text += fmt::format("  descriptor {}\n", its);
        CHECK_EQ(confined->confinement, nullptr);
      }
  }
  CHECK(grader::testing::matches_golden("sandbox.txt", text));
}

TEST_CASE("a folder in /usr is there already, and a program is looked for where the sandbox has it") {
  const Sandbox sandbox = Sandbox::best(places());
  if (sandbox.tier() == Tier::none) {
    MESSAGE("this machine has no tier but `none`");
    return;
  }
  ProcessSpec spec;
  spec.command = {"sh"};
  spec.reads = "/usr/share";
  const Result<ProcessSpec> confined = sandbox.confine(spec);
  REQUIRE(confined);
  CHECK_EQ(confined->command.back(), "/usr/bin/sh");
  if (sandbox.tier() == Tier::full) CHECK_EQ(std::ranges::count(confined->command, "/usr/share"), 0);
  spec.command = {"no-such-program"};
  CHECK_EQ(sandbox.confine(spec)->command.back(), "/usr/bin/no-such-program");
  spec.command = {"/opt/own/program", "word"};
  CHECK_EQ(sandbox.confine(spec)->command.back(), "word");
  CHECK_EQ(*(sandbox.confine(spec)->command.end() - 2), "/opt/own/program");
}

TEST_CASE("without a tier a process is started as it is") {
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
