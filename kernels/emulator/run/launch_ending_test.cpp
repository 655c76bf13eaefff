#include "kernels/emulator/run/launch_ending.h"

#include <doctest/doctest.h>

#include "kernels/emulator/testing/warp_fixture.h"

namespace histolab::kernels::emulator {
namespace {

TEST_CASE("a launch that ends early has a reason") {
  LaunchEnding ending;
  CHECK_FALSE(ending.has_come());
  CHECK(ending.ending() == Ending::completed);
  ending.leave();
  CHECK(ending.has_come());
  ending.go_on();
  CHECK_FALSE(ending.has_come());
  ending.stop("step limit");
  CHECK(ending.has_come());
  CHECK(ending.ending() == Ending::stopped);
  CHECK(ending.detail() == "step limit");
  ending.crash("no memory");
  CHECK(ending.ending() == Ending::crashed);
}

TEST_CASE("a stray access is shown to each observer, if there is one") {
  testing::LaunchFixture launch;
  testing::Recorder first, second;
  launch.context.observers = {&first, &second};
  LaunchEnding ending;
  ending.show_stray(launch.context);
  CHECK(first.strays.empty());
  ending.stray = StrayAccess{.site = 8, .lane = 3, .address = 64};
  ending.show_stray(launch.context);
  REQUIRE(first.strays.size() == 1);
  REQUIRE(second.strays.size() == 1);
  CHECK(second.strays[0].address == 64);
}

// A fault of lane 3. `known`: the kind of a finding that is known before.
std::vector<Finding> findings_of(const LaneFault& fault, std::optional<FindingKind> known = {}) {
  testing::LaunchFixture launch;
  launch.context.line_of_instruction = [](std::uint64_t instruction) {
    return static_cast<int>(instruction);
  };
  if (known) {
    Finding finding;
    finding.kind = *known;
    launch.findings.add(finding);
  }
  LaunchEnding ending;
  ending.report_fault(launch.context);
  CHECK_FALSE(ending.has_come());
  ending.fault = fault;
  ending.report_fault(launch.context);
  CHECK(ending.ending() == Ending::stopped);
  CHECK(ending.detail().starts_with("signal "));
  return launch.findings.findings();
}

TEST_CASE("a fault is a finding at its line") {
  const auto findings = findings_of({.signal = SIGFPE, .lane = 3, .instruction = 12});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::illegal_instruction);
  CHECK(findings[0].line == 12);
  CHECK(findings[0].thread->thread.x == 3);
  CHECK(findings[0].message.find("divides an integer by zero") != std::string::npos);
}

TEST_CASE("a fault by an access that is reported already is no second finding") {
  const LaneFault access{.signal = SIGSEGV, .lane = 3, .instruction = 12};
  CHECK(findings_of(access).size() == 1);
  CHECK(findings_of(access, FindingKind::out_of_bounds).size() == 1);
  CHECK(findings_of(access, FindingKind::misaligned_access).size() == 1);
  CHECK(findings_of(access, FindingKind::data_race).size() == 2);
  const LaneFault overflow{.signal = SIGSEGV, .lane = 3, .instruction = 12, .in_stack = true};
  CHECK(findings_of(overflow, FindingKind::out_of_bounds).size() == 2);
  const LaneFault division{.signal = SIGFPE, .lane = 3, .instruction = 12};
  CHECK(findings_of(division, FindingKind::out_of_bounds).size() == 2);
}

}  // namespace
}  // namespace histolab::kernels::emulator
