// What `histolab race` says: one interleaving step by step, or all of them counted. As text (at
// most 80 columns, no colour) and as JSON, `histolab/race/1` (docs/race.schema.json). Threads are
// called T1, T2, ... and times begin with
// 1. The steps are those of a model, histo[b]++ or atomicAdd on one bin, or were recorded of a
// kernel.
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

// Either a trace, or a kernel's, or, in `counted`, all interleavings.
struct RaceReport {
  struct Counted {
    reference::Steps steps;  // of an increment
    reference::Enumeration all;
  };
  std::string version;
  reference::Increments shape;
  std::optional<std::uint64_t> seed;  // the interleaving is this seed's,
  std::optional<int> scenario;        // or this one of the lecture's, from 1
  std::optional<reference::Trace> trace;
  std::optional<KernelRace>
      kernel;  // of which a launch was recorded; its trace is shown unless there is `counted`
  std::vector<Counted>
      counted;  // with the add as a step and without it; one with atomicAdd, and of a kernel
};

[[nodiscard]] RaceReport race_of_seed(const reference::Increments& shape, std::uint64_t seed);
// `number` is 1 to 4.
[[nodiscard]] RaceReport race_of_scenario(int number);
[[nodiscard]] RaceReport race_of(KernelRace race);
// Error: too many interleavings; it says how far this goes.
[[nodiscard]] Result<RaceReport> all_races(const reference::Increments& shape);
// Error: that, or this kernel does more than the model.
[[nodiscard]] Result<RaceReport> all_races(KernelRace race);

[[nodiscard]] std::string to_text(const RaceReport& report);
[[nodiscard]] std::string to_json(const RaceReport& report);
// One sentence: which update was lost, and which store overwrote it.
[[nodiscard]] std::string verdict(const reference::Trace& trace);

}  // namespace histolab::grader
