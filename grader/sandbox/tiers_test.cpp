// The tier that a machine gets, and the messages on those that it does not get.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "grader/sandbox/obstacle.h"
#include "grader/sandbox/sandbox.h"
#include "grader/sandbox/testing/places.h"
#include "grader/testing/files.h"
#include "kernels/worker/testing/from_child.h"
#include "kernels/worker/testing/landlock.h"
#include "reference/fields.h"

namespace histolab::sandbox {
namespace {

namespace fs = std::filesystem;
using kernels::testing::from_child;
using kernels::testing::has_landlock;
using testing::places;
using testing::tiers_here;

// Tests the basis of a tier without any program of ours.
bool has_bubblewrap() {
  return std::system(
             "/usr/bin/bwrap --unshare-pid --unshare-net --unshare-ipc --unshare-uts --ro-bind / / "
             "true 2>/dev/null") == 0;
}

// A sandbox started by root has another user. That user must be able to enter the folders above the
// programs. A build below /root is often closed to other users.
bool others_can_enter(const std::string& path) {
  for (fs::path folder = fs::path(path).parent_path(); folder != folder.root_path();
       folder = folder.parent_path())
    if ((fs::status(folder).permissions() & fs::perms::others_exec) == fs::perms::none)
      return false;
  return true;
}

TEST_CASE(
    "a tier that the machine supports is available: otherwise a broken sandbox would skip the "
    "tests of confinement") {
#ifdef HISTOLAB_SANITIZED
  // The worker reads its own memory there, which no tier allows.
  return;
#endif
  const std::vector<Tier> tiers = tiers_here();
  if (has_bubblewrap()) CHECK_EQ(std::ranges::count(tiers, Tier::full), 1);
  if (!has_landlock())
    MESSAGE("skipped: this system has no Landlock, so no tier \"reduced\"");
  else if (geteuid() == 0 && !others_can_enter(places().worker))
    MESSAGE("skipped: the tier \"reduced\" needs a build that other users can read");
  else
    CHECK_EQ(std::ranges::count(tiers, Tier::reduced), 1);
}

TEST_CASE("the requested tier is not exceeded, and obstacles are reported") {
  CHECK_EQ(Sandbox::best(places(), Tier::none).tier(), Tier::none);
  CHECK_NE(Sandbox::best(places(), Tier::reduced).tier(), Tier::full);
  Places nowhere = places();
  nowhere.confine = "/nonexistent/histolab-confine";
  const Sandbox nothing = Sandbox::best(nowhere);
  CHECK_EQ(nothing.tier(), Tier::none);
  REQUIRE_EQ(nothing.obstacles().size(), 2);
  CHECK_FALSE(nothing.obstacles()[0].what.empty());
  CHECK_FALSE(nothing.obstacles()[0].remedy.empty());
}

TEST_CASE("without bubblewrap the next tier is used, with a remedy for the missing one") {
  if (Sandbox::best(places(), Tier::reduced).tier() != Tier::reduced) {
    MESSAGE("skipped: this machine has no tier \"reduced\"");
    return;
  }
  Places without = places();
  without.bubblewrap = "/nonexistent/bwrap";
  const Sandbox sandbox = Sandbox::best(without);
  CHECK_EQ(sandbox.tier(), Tier::reduced);
  REQUIRE_EQ(sandbox.obstacles().size(), 1);
  CHECK_EQ(sandbox.obstacles()[0].tier, Tier::full);
  CHECK_EQ(sandbox.obstacles()[0].what, no_bubblewrap().what);
  CHECK_EQ(sandbox.obstacles()[0].remedy, no_bubblewrap().remedy);
}

TEST_CASE("a shim that the sandbox's user cannot read is reported before anything is compiled") {
  if (geteuid() != 0) {
    MESSAGE("skipped: only root has another user for a sandbox");
    return;
  }
  const grader::testing::TemporaryFolder folder;
  fs::create_directory(folder.path() + "/histolab");
  std::ofstream(folder.path() + "/histolab/cuda_shim.h") << "";
  fs::permissions(folder.path() + "/histolab/cuda_shim.h",
                  fs::perms::owner_read | fs::perms::owner_write);
  Places unreadable = places();
  unreadable.include_dir = folder.path();
  unreadable.bubblewrap = "/bin/true";  // exists, and is not used
  const Sandbox sandbox = Sandbox::best(unreadable);
  CHECK_EQ(sandbox.tier(), Tier::none);
  REQUIRE_EQ(sandbox.obstacles().size(), 2);
  for (std::size_t at = 0; at < 2; ++at) {
    CHECK_EQ(sandbox.obstacles()[at].tier, at == 0 ? Tier::full : Tier::reduced);
    CHECK_EQ(sandbox.obstacles()[at].what, "other users cannot read " + folder.path());
    CHECK_EQ(sandbox.obstacles()[at].remedy, "chmod -R a+rX " + folder.path());
  }
}

TEST_CASE("without descriptors there is no sandbox, and each tier reports it") {
  // With the fewest, no filter can be made. With more, no process can be started. With still more,
  // a process starts but has no descriptor for its filter.
  for (rlim_t most = 3; most <= 40; ++most) {
    const std::string report = from_child([&] {
      // If no descriptor is left for its own, a child writes here.
      dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
      rlimit descriptors{};
      getrlimit(RLIMIT_NOFILE, &descriptors);
      descriptors.rlim_cur = most;
      setrlimit(RLIMIT_NOFILE, &descriptors);
      const Sandbox sandbox = Sandbox::best(places());
      std::string text(sandbox.name());
      for (const Obstacle& each : sandbox.obstacles())
        text += fmt::format("; {}{}{}", name(each.tier), each.what.empty() ? " without a word" : "",
                            each.remedy.empty() ? " without a remedy" : "");
      return text;
    });
    CAPTURE(most);
    CHECK_EQ(report, "none; full; reduced");
  }
}

TEST_CASE("a tier has the name used in reports") {
  for (const Tier tier : {Tier::full, Tier::reduced, Tier::none})
    CHECK_EQ(value_named<Tier>(name(tier)), tier);
  CHECK_FALSE(value_named<Tier>("half"));
  CHECK_EQ(name(Tier::full), "full");
  CHECK_EQ(name(Tier::reduced), "reduced");
  CHECK_EQ(name(Tier::none), "none");
  CHECK_EQ(Sandbox::best(places(), Tier::none).name(), "none");
}

}  // namespace
}  // namespace histolab::sandbox
