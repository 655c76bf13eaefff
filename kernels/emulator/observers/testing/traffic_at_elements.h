// Runs the traffic observer on a warp's access, given as elements in a GPU's measurements.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "kernels/emulator/observers/traffic.h"
#include "kernels/emulator/testing/launch_fixture.h"

namespace histolab::kernels::emulator::testing {

// `element_of_lane`: 32 element numbers, null for inactive lanes. Elements are as wide as the
// site's accesses. Returns the counted traffic.
inline reference::Traffic traffic_at_elements(LaunchFixture& launch, SiteNumber site,
                                              const Region& region,
                                              const nlohmann::json& element_of_lane) {
  std::uint32_t active = 0;
  std::array<std::uint32_t, 32> offsets{};
  for (std::uint32_t l = 0; l < 32; ++l)
    if (const auto& element = element_of_lane[l]; !element.is_null()) {
      active |= 1u << l;
      offsets[l] = element.get<std::uint32_t>() * (*launch.sites)[site].bytes;
    }
  TrafficObserver observer(launch.context);
  observer.on_access(access(launch, site, region, 0, active, offsets));
  observer.on_launch_end();
  return launch.counters;
}

}  // namespace histolab::kernels::emulator::testing
