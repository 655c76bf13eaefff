// Rivals of a timed case: which ones there are, how they are loaded, and how they are launched on
// another lab's case.
#include "grader/checks/rivals.h"

#include <doctest/doctest.h>

#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

namespace histolab::grader {
namespace {

using kernels::Compiled;
using kernels::Severity;
using testing::FakeDevice;
using testing::put;
using testing::TemporaryFolder;

CheckSpec timed(CheckKind kind, std::vector<std::size_t> cases, std::string rival = {}) {
  CheckSpec check;
  check.kind = kind;
  check.timed = std::move(cases);
  check.rival = std::move(rival);
  return check;
}

TEST_CASE("the rivals of a case are those of its checks, each once and in order") {
  LabSpec lab;
  lab.name = "05-coarsening";
  lab.checks = {timed(CheckKind::within_of_solution, {0, 1}),
                timed(CheckKind::speedup_over, {1}, "02-atomic-add"),
                timed(CheckKind::share_of_read_limit, {1}),
                timed(CheckKind::speedup_over, {1, 2}, "02-atomic-add")};
  CHECK(rivals_of(lab, 0) == std::vector<std::string>{"05-coarsening"});
  CHECK(rivals_of(lab, 1) == std::vector<std::string>{"05-coarsening", "02-atomic-add", "read.cu"});
  CHECK(rivals_of(lab, 2) == std::vector<std::string>{"02-atomic-add"});
  CHECK(rivals_of(lab, 3).empty());
}

TEST_CASE("the compiler's first error is shown with its line if it has one") {
  Compiled compiled;
  CHECK(first_error_of(compiled) == "the compiler gives no reason");
  compiled.diagnostics = {{Severity::note, 1, 1, "a warning"}};
  CHECK(first_error_of(compiled) == "the compiler gives no reason");
  compiled.diagnostics.push_back({Severity::error, 0, 0, "no memory"});
  CHECK(first_error_of(compiled) == "no memory");
  compiled.diagnostics[1].line = 3;
  compiled.diagnostics.push_back({Severity::error, 4, 1, "another"});
  CHECK(first_error_of(compiled) == "line 3: no memory");
}

// 02-sample, and 03-other in the folder next to it.
struct TwoLabs {
  TemporaryFolder labs;
  LabSpec lab = testing::sample_lab_in(labs.path());
  FakeDevice device;

  TwoLabs() {
    put(labs.at("03-other/lab.json"), testing::sample_lab_json());
    put(labs.at("03-other/solution.cu"), "// fake: right export coarsening_factor 16\n");
  }
  std::string problem(const std::string& name) {
    const Result<Rival> rival = load_rival(device, lab, name);
    REQUIRE_FALSE(rival);
    const std::string message = rival.error().message;
    const std::size_t from = message.find(labs.path());
    return from == std::string::npos
               ? message
               : message.substr(0, from) + message.substr(from + labs.path().size() + 1);
  }
};

TEST_CASE("a rival is the lab's own solution, its read.cu, or another lab's solution") {
  TwoLabs two;
  const Result<Rival> own = load_rival(two.device, two.lab, "02-sample");
  REQUIRE(own);
  CHECK(own->lab.name == "02-sample");
  CHECK(own->exports.at("coarsening_factor") == 8);
  const Result<Rival> other = load_rival(two.device, two.lab, "03-other");
  REQUIRE(other);
  CHECK(other->lab.name == "03-other");
  CHECK(other->exports.at("coarsening_factor") == 16);
  put(two.labs.at("02-sample/read.cu"), "// fake: right export coarsening_factor 32\n");
  const Result<Rival> read = load_rival(two.device, two.lab, std::string{read_rival});
  REQUIRE(read);
  CHECK(read->lab.name == "02-sample");
  CHECK(read->exports.at("coarsening_factor") == 32);
}

TEST_CASE("a problem with a rival is reported with its file") {
  TwoLabs two;
  CHECK(two.problem("04-absent").find("04-absent/lab.json") != std::string::npos);
  CHECK(two.problem(std::string{read_rival}).find("02-sample/read.cu") != std::string::npos);
  put(two.labs.at("03-other/solution.cu"), "// fake: compile 2\n  }\n");
  CHECK(two.problem("03-other")
            .starts_with("03-other/solution.cu does not compile for the fake: line 2: "));
  put(two.labs.at("03-other/solution.cu"), "// fake: right export coarsening_factor 1000\n");
  CHECK(two.problem("03-other") ==
        "03-other/solution.cu: coarsening_factor is 1000, but the lab allows 2 to 256. Export a "
        "value in that range");
  put(two.labs.at("03-other/solution.cu"), "// fake: machine\n");
  CHECK_FALSE(load_rival(two.device, two.lab, "03-other"));
}

TEST_CASE("a rival from another lab uses its first kernel, and bins that both can count in") {
  TwoLabs two;
  TimedCaseSpec spec{.id = "large",
                     .dataset = "english",
                     .kernel = 0,
                     .binning = two.lab.kernels[0].binning,
                     .length = 1 << 20,
                     .emulated_length = 1 << 16};
  const Result<Rival> own = load_rival(two.device, two.lab, "02-sample"),
                      loaded = load_rival(two.device, two.lab, "03-other");
  REQUIRE(own);
  REQUIRE(loaded);
  const Result<LaunchShape> of_own = shape_for(*own, two.lab, spec, 132),
                            of_other = shape_for(*loaded, two.lab, spec, 132);
  REQUIRE(of_own);
  REQUIRE(of_other);
  CHECK(of_own->grid == (1 << 20) / (256 * 8));
  CHECK(of_other->grid == (1 << 20) / (256 * 16));
  spec.kernel = 1;  // the other lab has only one kernel
  const Result<LaunchShape> first = shape_for(*loaded, two.lab, spec, 132);
  REQUIRE(first);
  CHECK(first->kernel == 0);

  Rival other = *loaded;
  spec.binning.bins = 26;
  spec.binning.width = 1;
  const Result<LaunchShape> cannot = shape_for(other, two.lab, spec, 132);
  REQUIRE_FALSE(cannot);
  CHECK(cannot.error().message ==
        "the solution of 03-other uses other bins than case large of 02-sample, so their times "
        "cannot be compared");
  other.lab.kernels[0].arguments.push_back({"bins", KernelArgument::Kind::bins, 4});
  const Result<LaunchShape> can = shape_for(other, two.lab, spec, 132);
  REQUIRE(can);
  CHECK(can->binning.bins == 26);
  spec.binning.domain = reference::Domain::bytes;
  CHECK_FALSE(shape_for(other, two.lab, spec, 132));
}

}  // namespace
}  // namespace histolab::grader
