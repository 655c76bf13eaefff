// The paths for the tests' sandboxes: this build's programs, and a CUDA folder that need not exist.
// Also the tiers that these give on this machine.
#pragma once

#include <vector>

#include "grader/sandbox/sandbox.h"

namespace histolab::sandbox::testing {

inline Places places() {
  return {HISTOLAB_BIN "/histolab-confine",
          HISTOLAB_BIN "/histolab-worker",
          HISTOLAB_SOURCE_DIR "/kernels/emulator/include",
          {"/opt/cuda"}};
}

// Best first.
inline std::vector<Tier> tiers_here() {
  std::vector<Tier> tiers;
  for (const Tier tier : {Tier::full, Tier::reduced})
    if (Sandbox::best(places(), tier).tier() == tier) tiers.push_back(tier);
  return tiers;
}

}  // namespace histolab::sandbox::testing
