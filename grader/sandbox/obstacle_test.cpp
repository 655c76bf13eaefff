// The exact texts for machines without a sandbox: users have nothing else to fix it by.
#include "grader/sandbox/obstacle.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "grader/testing/files.h"

namespace histolab::sandbox {
namespace {

using grader::testing::put;
using grader::testing::TemporaryFolder;

void check(const Obstacle& got, Tier tier, const std::string& what, const std::string& remedy) {
  CHECK_EQ(got.tier, tier);
  CHECK_EQ(got.what, what);
  CHECK_EQ(got.remedy, remedy);
}

constexpr const char* of_bubblewrap =
    "bwrap: setting up uid map: Permission denied\nbwrap: and more\n";
constexpr const char* apparmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
constexpr const char* userns_clone = "/proc/sys/kernel/unprivileged_userns_clone";
constexpr const char* most_namespaces = "/proc/sys/user/max_user_namespaces";

// For a failure of bubblewrap on a machine that has only these files.
struct File {
  const char* path;
  const char* text;
};

Obstacle in_machine_with(const std::vector<File>& files,
                         const std::string& errors = of_bubblewrap) {
  const TemporaryFolder root;
  for (const auto& [path, text] : files) put(root.path() + path, text);
  return obstacle_from(Tier::full, errors, root.path());
}

TEST_CASE("suggests installing a missing bubblewrap") {
  check(no_bubblewrap(), Tier::full, "bubblewrap is not installed", "apt-get install bubblewrap");
}

TEST_CASE("names the settings that forbid namespaces, each with its remedy") {
  check(in_machine_with({{apparmor, "1\n"}}), Tier::full,
        "AppArmor forbids namespaces to programs without a profile (bwrap: setting up uid map: "
        "Permission denied)",
        "echo 'abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | sudo "
        "tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap");
  check(in_machine_with({{apparmor, "0\n"}, {userns_clone, "0\n"}}), Tier::full,
        "the system forbids namespaces to users (bwrap: setting up uid map: Permission denied)",
        "sudo sysctl kernel.unprivileged_userns_clone=1");
  check(in_machine_with({{apparmor, "0\n"}, {userns_clone, "1\n"}, {most_namespaces, "0\n"}}),
        Tier::full,
        "the system allows no user namespaces (bwrap: setting up uid map: Permission denied)",
        "sudo sysctl user.max_user_namespaces=10000");
  for (const char* container : {"/.dockerenv", "/run/.containerenv"})
    check(
        in_machine_with({{container, ""}}), Tier::full,
        "the container's profile forbids namespaces (bwrap: setting up uid map: Permission denied)",
        "docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined ...");
}

TEST_CASE("a setting that is missing, permissive or not a number is not blamed") {
  const std::vector<std::vector<File>> machines = {
      {},
      {{apparmor, "0\n"}, {userns_clone, "1\n"}, {most_namespaces, "1\n"}},
      {{userns_clone, "2\n"}, {most_namespaces, "96365\n"}},
      {{apparmor, "yes\n"}, {userns_clone, "no\n"}, {most_namespaces, ""}}};
  for (const std::vector<File>& files : machines)
    check(in_machine_with(files), Tier::full,
          "bubblewrap cannot make a sandbox (bwrap: setting up uid map: Permission denied)",
          "bwrap --unshare-all --ro-bind / / true");
}

TEST_CASE("reports that a program ended without a message") {
  check(in_machine_with({}, ""), Tier::full,
        "bubblewrap cannot make a sandbox (it ended without a message)",
        "bwrap --unshare-all --ro-bind / / true");
  check(obstacle_from(Tier::reduced, "\n"), Tier::reduced,
        "a process cannot drop its rights; a container's seccomp profile may forbid it (it ended "
        "without a message)",
        "docker run --security-opt seccomp=unconfined ...");
}

TEST_CASE("a failure inside bubblewrap is not blamed on it") {
  check(in_machine_with({{apparmor, "1\n"}},
                        "histolab-worker: error while loading shared libraries: libdw.so.1\n"),
        Tier::full,
        "histolab's worker does not run in it (histolab-worker: error while loading shared "
        "libraries: libdw.so.1)",
        "./histolab setup");
}

TEST_CASE("the tier without namespaces: no Landlock, or rights that cannot be dropped") {
  check(obstacle_from(Tier::reduced,
                      "histolab-confine: this system has no Landlock: Function not implemented\n"),
        Tier::reduced,
        "this Linux has no Landlock: it needs 5.13 or later, with `landlock` in lsm= on its "
        "command line (histolab-confine: this system has no Landlock: Function not implemented)",
        "cat /sys/kernel/security/lsm");
  check(
      obstacle_from(Tier::reduced,
                    "histolab-confine: cannot take the filter of system calls: Invalid argument\n"),
      Tier::reduced,
      "a process cannot drop its rights; a container's seccomp profile may forbid it "
      "(histolab-confine: cannot take the filter of system calls: Invalid argument)",
      "docker run --security-opt seccomp=unconfined ...");
}

TEST_CASE("since 5.14 Linux counts the processes of a namespace separately") {
  for (const char* release : {"5.14", "5.14.0-427.el9.x86_64", "5.15.167.4-microsoft-standard-WSL2",
                              "6.1.0-28-amd64", "6.0", "10.2"})
    CHECK_MESSAGE(counts_processes_by_namespace(release), release);
  for (const char* release : {"5.13.19", "5.4.0-200-generic", "4.19.0", "4.18.0-553.el8", "3.14",
                              "", "5", "5.x", "6.", "Linux"})
    CHECK_FALSE_MESSAGE(counts_processes_by_namespace(release), release);
}

}  // namespace
}  // namespace histolab::sandbox
