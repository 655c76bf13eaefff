// The report on recorded steps: the steps that are shown, the lost update and its reason, and when
// a launch equals the model's increments.
#include "grader/race/kernel_race.h"

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "grader/race/race_report.h"
#include "grader/race/testing/golden.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;
using kernels::Operation;
using kernels::RecordedStep;
using kernels::Space;

namespace {

constexpr std::uint32_t letters_bin = 3;  // of seven bins of four letters; m is in this one

// Returns the given observation for each launch.
class FixedDevice final : public kernels::Device {
 public:
  kernels::Observation observation;
  std::uint32_t in_bin = 0;
  kernels::Options asked;
  kernels::LaunchConfig config;
  std::string data;

  [[nodiscard]] std::string kind() const override { return "fake"; }
  [[nodiscard]] std::string name() const override { return "tests only"; }
  [[nodiscard]] Result<kernels::Compiled> compile(
      const kernels::Source&, const std::vector<kernels::KernelSignature>&) override {
    return Error{"not here"};
  }
  [[nodiscard]] Result<std::vector<kernels::Observation>> launch(
      const kernels::Compiled&, const kernels::LaunchConfig& shape,
      const std::vector<std::vector<kernels::Argument>>& launches,
      const kernels::Options& options) override {
    asked = options;
    config = shape;
    for (const kernels::Argument& argument : launches.at(0)) {
      if (argument.kind == kernels::Argument::Kind::input)
        data.assign(argument.input->bytes().begin(), argument.input->bytes().end());
      if (argument.kind == kernels::Argument::Kind::output)
        std::memcpy(argument.output->bytes().data() + 4 * letters_bin, &in_bin, 4);
    }
    return std::vector{observation};
  }
};

RecordedStep step(std::uint32_t thread, int line, Operation operation, std::uint64_t before,
                  std::uint64_t after, std::uint64_t index = letters_bin) {
  return {0, thread, line, operation, Space::global, "histo", index, 4, before, after};
}
RecordedStep shared(std::uint32_t thread, int line, Operation operation, std::uint64_t before,
                    std::uint64_t after, std::uint64_t index = letters_bin) {
  return {0, thread, line, operation, Space::shared, "private_histo", index, 4, before, after};
}
constexpr std::uint64_t garbage = 0xcdcdcdcd;
using enum Operation;

const std::string source =
    "__global__ void histogram(...) {\n  histo[bin]++;\n  private_histo[bin] = 0;\n  "
    "atomicAdd(&private_histo[bin], "
    "1u);\n  commit();\n}\n";

KernelRace race_of_steps(const std::vector<RecordedStep>& steps, std::uint32_t in_bin,
                         const KernelRace::Setup& setup = {},
                         kernels::Ending ending = kernels::Ending::completed) {
  FixedDevice device;
  device.observation.steps = steps;
  device.observation.ending = ending;
  device.in_bin = in_bin;
  kernels::Compiled compiled;
  compiled.path = "work/01-race.cu";
  Result<KernelRace> race = race_of_kernel(device, sample_lab(), compiled, source, setup);
  REQUIRE(race.ok());
  CHECK(device.data == std::string(setup.threads, 'm'));
  CHECK(device.config.grid.count() == 1);
  CHECK(device.config.block.count() == setup.threads);
  CHECK(device.asked.recorded_steps == kernels::Options::most_recorded);
  CHECK(device.asked.schedule == setup.schedule);
  CHECK(device.asked.seed == setup.seed);
  return std::move(*race);
}

const std::vector<RecordedStep> one_lost = {step(0, 2, load, 0, 0), step(1, 2, load, 0, 0),
                                            step(0, 2, store, 0, 1), step(1, 2, store, 1, 1)};
const std::vector<RecordedStep> none_lost = {step(1, 2, load, 0, 0), step(1, 2, store, 0, 1),
                                             step(0, 2, load, 1, 1), step(0, 2, store, 1, 2)};
const std::vector<RecordedStep> atomics = {step(1, 2, atomic, 0, 1), step(0, 2, atomic, 1, 2)};
const std::vector<RecordedStep> privatized = {shared(0, 3, store, garbage, 0, 0),
                                              shared(1, 3, store, garbage, 0, 3),
                                              shared(0, 3, store, garbage, 0, 2),
                                              shared(0, 4, atomic, 0, 1),
                                              shared(1, 4, atomic, 1, 2),
                                              shared(0, 5, load, 0, 0, 0),
                                              shared(1, 5, load, 2, 2, 3),
                                              step(0, 5, atomic, 0, 0, 0),
                                              step(1, 5, atomic, 0, 2)};
// No thread waits until the zeros are stored.
const std::vector<RecordedStep> zeroed_late = {
    shared(0, 3, store, garbage, 0), shared(0, 4, atomic, 0, 1), shared(1, 3, store, 1, 0),
    shared(1, 4, atomic, 0, 1),      shared(0, 5, load, 1, 1),   step(0, 5, atomic, 0, 1)};

}  // namespace

TEST_CASE("kernel race: the text and the JSON") {
  CHECK(matches_golden(
      "race-kernel.txt",
      to_text(race_of(race_of_steps(one_lost, 1))) + "\n" +
          to_text(race_of(race_of_steps(privatized, 2,
                                        {.threads = 2, .schedule = kernels::Schedule::lockstep}))) +
          "\n" + to_text(race_of(race_of_steps(zeroed_late, 1))) + "\n" +
          to_text(*all_races(race_of_steps(one_lost, 1)))));
  CHECK(matches_golden("race-kernel.json",
                       to_json(old_version(race_of(race_of_steps(one_lost, 1))))));
}

TEST_CASE(
    "kernel race: a lost update names its thread, the thread that stored over it, and the value "
    "that the latter had loaded") {
  const KernelRace race = race_of_steps(one_lost, 1);
  CHECK_FALSE(race.right());
  CHECK(race.counter == "histo[3]");
  CHECK(race.expected == 2);
  REQUIRE(race.steps.size() == 4);
  CHECK(race.steps[0].register_before == std::nullopt);
  CHECK(race.steps[0].register_after == 0);
  CHECK(race.steps[2].register_before == 0);
  CHECK(race.steps[2].register_after == 1);
  REQUIRE(race.lost.size() == 1);
  CHECK(race.lost[0].thread == 0);
  CHECK(verdict(race) ==
        "T1's update is lost: T1 stored 1 at time 3, but T2 had loaded 0 at time 2 and stored 1 "
        "over it at time 4; "
        "histo[3] is 1 and should be 2.");
}

TEST_CASE("kernel race: no update is lost, by luck or because the updates are atomic") {
  const KernelRace lucky = race_of_steps(none_lost, 2);
  CHECK(lucky.right());
  CHECK(lucky.lost.empty());
  CHECK(verdict(lucky).starts_with("No update is lost: in this order no thread stored"));
  CHECK_FALSE(lucky.only_atomic());
  const KernelRace sound = race_of_steps(atomics, 2);
  CHECK(verdict(sound).starts_with(
      "No update is lost: no two threads update the same element except by atomic operations"));
  CHECK(sound.only_atomic());
  CHECK(sound.steps[1].register_after == 1);  // the old value
}

TEST_CASE(
    "kernel race: hides addresses that only ever held 0; memory that was never set has no value") {
  const KernelRace race = race_of_steps(privatized, 2);
  REQUIRE(race.steps.size() == 5);
  for (const KernelRace::Step& each : race.steps) CHECK(each.index == 3);
  CHECK(race.steps[0].memory_before == std::nullopt);
  CHECK(race.steps[0].memory_after == 0);
  CHECK(race.steps[1].memory_before == 0);
  CHECK(race.only_atomic());
  const KernelRace unset = race_of_steps(
      {shared(0, 4, load, garbage, garbage), shared(0, 4, store, garbage, garbage + 1)}, 0);
  CHECK(unset.steps[0].memory_after == std::nullopt);
  CHECK(unset.steps[0].register_after == std::nullopt);
}

TEST_CASE(
    "kernel race: reports a thread that resets a private copy after another thread's update") {
  const KernelRace race = race_of_steps(zeroed_late, 1);
  REQUIRE(race.lost.size() == 1);
  CHECK_FALSE(race.lost[0].lost_loaded_at.has_value());
  CHECK(verdict(race) ==
        "T1's update is lost: T1 stored 1 in private_histo[3] at time 2, but T2 set it to 0 at "
        "time 3; histo[3] is 1 "
        "and should be 2.");
}

TEST_CASE("kernel race: a kernel that does not count has no steps of a counter") {
  LabSpec lab = sample_lab();
  lab.kernels.front().task.quantity = reference::Quantity::largest;
  FixedDevice device;
  const auto race = race_of_kernel(device, lab, {}, "", {});
  REQUIRE_FALSE(race.ok());
  CHECK(race.error().message ==
        "a race shows the steps of a kernel that counts, but histogram of 02-sample does something "
        "else");
}

TEST_CASE("kernel race: no steps, the wrong bin, a launch that ends early, too many steps") {
  CHECK(verdict(race_of_steps({}, 0)) ==
        "No thread changed anything that others see: histo[3] is 0 and should be 2.");
  const KernelRace wrong_bin =
      race_of_steps({step(0, 2, atomic, 0, 1, 2), step(1, 2, atomic, 1, 2, 2)}, 0);
  CHECK(wrong_bin.steps.size() == 2);
  CHECK(verdict(wrong_bin).starts_with(
      "No thread overwrote another thread's update, but histo[3] is 0"));
  const KernelRace stopped =
      race_of_steps({step(0, 2, atomic, 0, 1)}, 1, {}, kernels::Ending::stopped);
  CHECK(verdict(stopped).starts_with("The launch did not end well (stopped): "));
  const KernelRace cut = race_of_steps(
      std::vector<RecordedStep>(kernels::Options::most_recorded, step(0, 2, atomic, 0, 1)), 2);
  CHECK(cut.cut);
  CHECK(to_text(cut).find("not recorded") != std::string::npos);
}

TEST_CASE(
    "kernel race: counts increments of one address like the model, and otherwise says why not") {
  const auto counted = [](const std::vector<RecordedStep>& steps, std::uint32_t in_bin) {
    return all_races(race_of_steps(steps, in_bin));
  };
  for (const auto& [steps, in_bin] : {std::pair{one_lost, 1u}, {none_lost, 2u}}) {
    const Result<RaceReport> all = counted(steps, in_bin);
    REQUIRE(all.ok());
    CHECK(all->shape.increments == 1);
    CHECK_FALSE(all->shape.atomic);
    REQUIRE(all->counted.size() == 1);
    CHECK(all->counted[0].all.interleavings == 6);
    CHECK(all->counted[0].all.losing == 4);
  }
  const Result<RaceReport> sound = counted(atomics, 2);
  REQUIRE(sound.ok());
  CHECK(sound->counted[0].all.interleavings == 2);
  CHECK(sound->counted[0].all.losing == 0);
  std::vector<RecordedStep> twice;
  for (std::uint64_t i = 0; i < 4; ++i) twice.push_back(step(i % 2, 2, atomic, i, i + 1));
  CHECK(counted(twice, 4)->shape.increments == 2);

  const auto why_not = [&](const std::vector<RecordedStep>& steps, std::uint32_t in_bin) {
    const Result<RaceReport> all = counted(steps, in_bin);
    return all.ok() ? "it is counted" : all.error().message;
  };
  CHECK(why_not(privatized, 2).find("its threads use private_histo[3] and histo[3]") !=
        std::string::npos);
  CHECK(why_not({}, 0).find("no thread changes histo[3]") != std::string::npos);
  CHECK(why_not({step(0, 2, atomic, 0, 1)}, 1).find("only 1 of 2 threads") != std::string::npos);
  CHECK(why_not({step(0, 2, atomic, 0, 1), step(1, 2, atomic, 1, 2), step(0, 2, atomic, 2, 3)}, 3)
            .find("different numbers of steps") != std::string::npos);
  CHECK(why_not({step(0, 2, atomic, 0, 1), step(1, 2, atomic, 1, 3)}, 3)
            .find("T2 does something else on line 2") != std::string::npos);
  CHECK(why_not({step(0, 2, load, 0, 0), step(1, 2, load, 0, 0), step(1, 2, store, 0, 7),
                 step(0, 2, store, 7, 1)},
                1)
            .find("T2 does something else") != std::string::npos);
}

TEST_CASE("kernel race: no line is wider than 80 columns, whatever the variable is called") {
  std::vector<RecordedStep> steps = one_lost;
  for (RecordedStep& each : steps) {
    each.variable = "the_histogram_of_this_block_\x1b[31m";
    each.index = 123456;
  }
  std::string text = to_text(race_of_steps(steps, 1));
  CHECK(text.find('\x1b') == std::string::npos);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    CHECK(end - begin <= 80);
    begin = end + 1;
  }
}

namespace {

// A launch of a program with two blocks of 64 threads.
KernelRace::Launch program_launch() {
  return {.number = 3,
          .text = "count<<<2, 64>>> at main.cu:14",
          .kernel = "count",
          .grid = {2},
          .block = {64}};
}

kernels::Finding race_at(std::uint32_t block, std::uint32_t one, std::uint32_t other) {
  kernels::Finding race;
  race.kind = kernels::FindingKind::data_race;
  race.variable = "histo";
  race.index = letters_bin;
  race.thread = {{block, 0, 0}, {one, 0, 0}};
  race.other_thread = {{block, 0, 0}, {other, 0, 0}};
  race.message = "two threads update histo[3]";
  return race;
}

}  // namespace

TEST_CASE("program race: its threads are shown first, then others that use the element") {
  kernels::Observation seen;
  seen.steps = {step(7, 2, load, 0, 0, 0), step(9, 2, load, 0, 0), step(5, 2, load, 0, 0)};
  for (RecordedStep& each : seen.steps) each.block = 1;
  seen.findings = {race_at(1, 5, 40)};
  const auto threads = [&](std::uint32_t count) {
    return threads_to_show(seen, program_launch(), count);
  };
  CHECK(threads(2) == std::vector<std::uint64_t>{64 + 5, 64 + 40});
  CHECK(threads(4) == std::vector<std::uint64_t>{64 + 5, 64 + 7, 64 + 9, 64 + 40});
  seen.findings.clear();
  CHECK(threads(2) == std::vector<std::uint64_t>{0, 1});
  seen.steps.push_back(step(30, 2, atomic, 0, 1));
  seen.steps.push_back(step(31, 2, atomic, 1, 2));
  CHECK(threads(2) == std::vector<std::uint64_t>{30, 31});
}

TEST_CASE("program race: the steps of the chosen threads on memory that they share") {
  kernels::Observation seen;
  seen.files = {"count.h", "main.cu"};
  seen.steps = {step(5, 4, load, 0, 0),    step(40, 4, load, 0, 0), step(6, 4, load, 0, 0),
                step(5, 4, store, 0, 1),   step(6, 4, store, 1, 1), step(40, 4, store, 1, 1),
                step(5, 9, store, 0, 8, 0)};
  for (RecordedStep& each : seen.steps) each.file = 1;
  seen.findings = {race_at(0, 5, 40)};
  KernelRace race = race_of_launch(seen, program_launch(), {5, 40}, "main.cu", {});
  race.texts["count.h"] = "\n\n\n  histo[bin]++;\n";
  REQUIRE(race.steps.size() == 4);
  CHECK(race.steps[1].thread == 1);
  CHECK(race.steps[1].file == "count.h");
  CHECK(race.counter == "histo[3]");
  REQUIRE(race.lost.size() == 1);
  CHECK(verdict(race) ==
        "T1's update is lost: T1 stored 1 at time 3, but T2 had loaded 0 at time 2 and stored 1 "
        "over it at time 4; histo[3] is 1.");
  const std::string text = to_text(race);
  CHECK(
      text.starts_with("main.cu: launch 3, count<<<2, 64>>> at main.cu:14\n"
                       "T1 is thread 5 of block 0; T2 is thread 40 of block 0; random, seed 1\n"));
  CHECK(text.find("count.h\n   4 |   histo[bin]++;") != std::string::npos);
  const auto json = nlohmann::json::parse(to_json(race_of(race)));
  CHECK(json["expected"].is_null());
  CHECK(json["launch"]["threads"][1]["thread"][0] == 40);
  CHECK(json["trace"]["steps"][0]["file"] == "count.h");

  seen.steps.erase(seen.steps.begin());
  CHECK(verdict(race_of_launch(seen, program_launch(), {5, 40}, "main.cu", {})) ==
        "None of these threads loses an update in this order, but they race: two threads update "
        "histo[3].");
  seen.findings.clear();
  CHECK(race_of_launch(seen, program_launch(), {5, 40}, "main.cu", {}).lost.empty());
  const KernelRace nothing = race_of_launch({}, program_launch(), {0, 1}, "main.cu", {});
  CHECK(verdict(nothing) == "No thread changed anything that the others see.");
  CHECK(nlohmann::json::parse(to_json(race_of(nothing)))["trace"]["counter"].is_null());
}
