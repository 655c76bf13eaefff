// The report of `histolab race`: one interleaving step by step, or all of them counted. It exists
// as text (at most 80 columns, no colour) and as JSON, `histolab/race/1` (docs/race.schema.json).
// Threads are T1, T2, ... and times start at 1. The steps come from a model (histo[b]++ or
// atomicAdd on one bin) or from a recorded launch of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/race/kernel_race.h"
#include "reference/increments.h"
#include "reference/interleavings.h"
#include "reference/result.h"

namespace histolab::grader {

// Has a trace of the model, or a recorded kernel, or all interleavings in `counted`.
struct RaceReport {
  struct Counted {
    reference::Steps steps;  // the steps of an increment
    reference::Enumeration all;
  };
  std::string version;
  reference::Increments shape;
  // The seed of the interleaving, or ...
  std::optional<std::uint64_t> seed;
  // ... the number of the lecture's scenario, from 1.
  std::optional<int> scenario;
  std::optional<reference::Trace> trace;
  // A recorded launch. Its trace is shown unless `counted` has entries.
  std::optional<KernelRace> kernel;
  // With the add as a step and without it. Only one entry for atomicAdd and for a kernel.
  std::vector<Counted> counted;
};

[[nodiscard]] RaceReport race_of_seed(const reference::Increments& shape, std::uint64_t seed);
// `number` is 1 to 4.
[[nodiscard]] RaceReport race_of_scenario(int number);
[[nodiscard]] RaceReport race_of(KernelRace race);
// Returns an Error if there are too many interleavings. It names the largest feasible shapes.
[[nodiscard]] Result<RaceReport> all_races(const reference::Increments& shape);
// Also returns an Error if this kernel does more than the model.
[[nodiscard]] Result<RaceReport> all_races(KernelRace race);

[[nodiscard]] std::string to_text(const RaceReport& report);
[[nodiscard]] std::string to_json(const RaceReport& report);
// One sentence: which update was lost, and which store overwrote it.
[[nodiscard]] std::string verdict(const reference::Trace& trace);

}  // namespace histolab::grader
