// All observers. A new one needs a line here.
#include "kernels/emulator/launch/observer.h"
#include "kernels/emulator/observers/access_recorder.h"
#include "kernels/emulator/observers/access_rules.h"
#include "kernels/emulator/observers/fresh_memory.h"
#include "kernels/emulator/observers/lane_races.h"
#include "kernels/emulator/observers/races.h"
#include "kernels/emulator/observers/step_recorder.h"

namespace histolab::kernels::emulator {

std::vector<std::unique_ptr<Observer>> make_observers(const Observers& which,
                                                      LaunchContext& context) {
  std::vector<std::unique_ptr<Observer>> observers;
  if (which.bounds) observers.push_back(std::make_unique<BoundsObserver>(context));
  if (which.bounds) observers.push_back(std::make_unique<InputObserver>(context));
  if (which.bounds) observers.push_back(std::make_unique<LocalObserver>(context));
  if (which.alignment) observers.push_back(std::make_unique<AlignmentObserver>(context));
  if ((which.races || which.initialization) && context.in_order)
    observers.push_back(std::make_unique<LaneRaces>(context, which.races, which.initialization));
  else if (which.races || which.initialization)
    observers.push_back(std::make_unique<RaceObserver>(context, which.races, which.initialization));
  if (which.initialization && context.has_fresh_memory)
    observers.push_back(std::make_unique<FreshMemoryObserver>(context));
  if (which.traffic && context.recorded_accesses != 0)
    observers.push_back(std::make_unique<AccessRecorder>(context));
  else if (which.traffic)
    observers.push_back(std::make_unique<TrafficObserver>(context));
  if (context.recorded_steps != 0) observers.push_back(std::make_unique<StepRecorder>(context));
  if (context.heap != nullptr) observers.push_back(std::make_unique<HeapObserver>(context));
  return observers;
}

}  // namespace histolab::kernels::emulator
