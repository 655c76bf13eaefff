// Tests which observers watch a launch: the selected ones that the launch has work for.
#include <doctest/doctest.h>

#include <string>

#include "kernels/emulator/observers/access_recorder.h"
#include "kernels/emulator/observers/access_rules.h"
#include "kernels/emulator/observers/fresh_memory.h"
#include "kernels/emulator/observers/lane_races.h"
#include "kernels/emulator/observers/races.h"
#include "kernels/emulator/observers/step_recorder.h"
#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator {
namespace {

constexpr Observers none{
    .races = false, .bounds = false, .initialization = false, .alignment = false, .traffic = false};

template <class T>
bool is(const Observer& observer) {
  return dynamic_cast<const T*>(&observer) != nullptr;
}

std::string made(const Observers& which, LaunchContext& context) {
  std::string names;
  for (const auto& each : make_observers(which, context)) {
    if (!names.empty()) names += " ";
    names += is<BoundsObserver>(*each)        ? "bounds"
             : is<InputObserver>(*each)       ? "input"
             : is<LocalObserver>(*each)       ? "local"
             : is<AlignmentObserver>(*each)   ? "alignment"
             : is<LaneRaces>(*each)           ? "lanes"
             : is<RaceObserver>(*each)        ? "rows"
             : is<FreshMemoryObserver>(*each) ? "fresh"
             : is<AccessRecorder>(*each)      ? "accesses"
             : is<TrafficObserver>(*each)     ? "traffic"
             : is<StepRecorder>(*each)        ? "steps"
             : is<HeapObserver>(*each)        ? "heap"
                                              : "?";
  }
  return names;
}

TEST_CASE("a launch gets the requested observers, in a fixed order") {
  testing::LaunchFixture launch;
  const auto alone = [&](bool Observers::*which) {
    Observers one = none;
    one.*which = true;
    return made(one, launch.context);
  };
  CHECK(made(none, launch.context).empty());
  CHECK(alone(&Observers::bounds) == "bounds input local");
  CHECK(alone(&Observers::alignment) == "alignment");
  CHECK(alone(&Observers::races) == "rows");
  CHECK(alone(&Observers::initialization) == "rows");
  CHECK(alone(&Observers::traffic) == "traffic");
  CHECK(made({}, launch.context) == "bounds input local alignment rows traffic");
}

TEST_CASE("in-order runs, unset memory, recording and a heap select their observers") {
  testing::LaunchFixture launch;
  LaunchContext& context = launch.context;
  const Observers races{
      .bounds = false, .initialization = false, .alignment = false, .traffic = false};
  const Observers initialization{
      .races = false, .bounds = false, .alignment = false, .traffic = false};
  context.in_order = true;
  CHECK(made(none, context).empty());
  CHECK(made(races, context) == "lanes");
  CHECK(made(initialization, context) == "lanes");
  context.has_fresh_memory = true;
  CHECK(made(races, context) == "lanes");
  CHECK(made(initialization, context) == "lanes fresh");
  context.in_order = false;
  CHECK(made(initialization, context) == "rows fresh");
  DeviceHeap heap(launch.window);
  context.recorded_accesses = context.recorded_steps = 1;
  context.heap = &heap;
  CHECK(made(none, context) == "steps heap");
  CHECK(made({}, context) == "bounds input local alignment rows fresh accesses steps heap");
}

}  // namespace
}  // namespace histolab::kernels::emulator
