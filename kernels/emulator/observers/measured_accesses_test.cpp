// Compares the model of shared memory with a GPU. docs/measurements/h200-facts.json has the SM's
// clocks per instruction for each pattern of accesses (histolab-hardware-facts). A wavefront takes
// one clock.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

#include "kernels/emulator/observers/testing/traffic_at_elements.h"

namespace histolab::kernels::emulator {
namespace {

std::uint64_t wavefronts(const nlohmann::json& element_of_lane, AccessKind kind,
                         std::uint8_t bytes) {
  testing::LaunchFixture launch;
  const Region& region = launch.add({.space = Space::shared, .name = "s", .size = 48 * 1024});
  launch.site(1, kind, bytes);
  const reference::Traffic traffic =
      testing::traffic_at_elements(launch, 1, region, element_of_lane);
  return (kind == AccessKind::load ? traffic.shared_load : traffic.shared_store).wavefronts;
}

TEST_CASE(
    "wavefronts are the clocks that an H200 takes for each pattern of accesses that was measured, "
    "to 1 %") {
  const auto measured = nlohmann::json::parse(
      std::ifstream(HISTOLAB_SOURCE_DIR "/docs/measurements/h200-facts.json"));
  int patterns = 0;
  for (const auto& row : measured.at("rows")) {
    if (row.at("experiment") != "shared-accesses") continue;
    ++patterns;
    for (const auto bytes : std::array<std::uint8_t, 3>{4, 8, 16})
      for (const AccessKind kind : {AccessKind::load, AccessKind::store}) {
        const std::string what =
            fmt::format("{}_{}_clocks", kind == AccessKind::load ? "load" : "store", bytes);
        CHECK_MESSAGE(static_cast<double>(wavefronts(row.at("element_of_lane"), kind, bytes)) ==
                          doctest::Approx(row.at(what).get<double>()).epsilon(0.01),
                      what, " of ", row.at("pattern").get<std::string>());
      }
  }
  CHECK(patterns == 70);
}

}  // namespace
}  // namespace histolab::kernels::emulator
