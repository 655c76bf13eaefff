#include "grader/sandbox/obstacle.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace histolab::sandbox {
namespace {

// The first number in a file of /proc or /sys, or -1.
long number_in(const std::string& path) {
  std::ifstream file(path);
  // mutant 1 -> 2: it is only returned after a number was read into it
  long value = -1;
  // mutant 1 -> 2: it is only compared with 0 and 1
  return file >> value ? value : -1;
}

bool in_container(const std::string& root) {
  std::error_code ignored;
  return std::filesystem::exists(root + "/.dockerenv", ignored) ||
         std::filesystem::exists(root + "/run/.containerenv", ignored);
}

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.empty() ? "it ended without a message" : line;
}

}  // namespace

Obstacle no_bubblewrap() {
  return {Tier::full, "bubblewrap is not installed", "apt-get install bubblewrap"};
}

Obstacle obstacle_from(Tier tier, const std::string& errors, const std::string& root) {
  const std::string said = first_line(errors);
  if (tier == Tier::reduced) {
    if (errors.find("Landlock") != std::string::npos)
      return {tier,
              fmt::format("this Linux has no Landlock: it needs 5.13 or later, with `landlock` in "
                          "lsm= on its command line ({})",
                          said),
              "cat /sys/kernel/security/lsm"};
    return {
        tier,
        fmt::format(
            "a process cannot drop its rights; a container's seccomp profile may forbid it ({})",
            said),
        "docker run --security-opt seccomp=unconfined ..."};
  }
  if (!said.starts_with("bwrap:") && !errors.empty())
    return {tier, fmt::format("histolab's worker does not run in it ({})", said),
            "./histolab setup"};
  if (number_in(root + "/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
    return {tier,
            fmt::format("AppArmor forbids namespaces to programs without a profile ({})", said),
            "echo 'abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }' | "
            "sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap"};
  if (number_in(root + "/proc/sys/kernel/unprivileged_userns_clone") == 0)
    return {tier, fmt::format("the system forbids namespaces to users ({})", said),
            "sudo sysctl kernel.unprivileged_userns_clone=1"};
  if (number_in(root + "/proc/sys/user/max_user_namespaces") == 0)
    return {tier, fmt::format("the system allows no user namespaces ({})", said),
            "sudo sysctl user.max_user_namespaces=10000"};
  if (in_container(root))
    return {tier, fmt::format("the container's profile forbids namespaces ({})", said),
            "docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined ..."};
  return {tier, fmt::format("bubblewrap cannot make a sandbox ({})", said),
          "bwrap --unshare-all --ro-bind / / true"};
}

bool counts_processes_by_namespace(const std::string& release) {
  // mutant 0 -> 1, 0 -> 1 #2: they are only used after both were read
  int major = 0, minor = 0;
  return std::sscanf(release.c_str(), "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 14));
}

}  // namespace histolab::sandbox
