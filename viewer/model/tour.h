// Tour: a script for presenting: stops that each show one panel with a caption, read from viewer/tour.json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"
#include "viewer/model/catalogue.h"
#include "viewer/model/launch_choice.h"

namespace histolab::viewer {

struct TourStop {
  std::string title, caption, panel;
  std::string lab, kernel;  // the kernel's role or name in the catalogue; empty: the solution
  std::string dataset, schedule, block_order, text;
  std::uint64_t length = 0, seed = 0;  // 0: as it is
  std::uint32_t grid = 0, block = 0;
  double speed = 0;         // steps a second; 0: as fast as it goes
  bool run = false;         // begin the launch on arriving
  nlohmann::json settings;  // for the panel: Panel::prepare
};

struct Tour {
  std::vector<TourStop> stops;
};

// Error: the file is missing, is no JSON, or a stop is incomplete; it names the file and the stop.
[[nodiscard]] Result<Tour> read_tour(const std::string& path);
[[nodiscard]] Result<Tour> tour_in(const nlohmann::json& json, const std::string& file);

// What a stop runs; nullopt: it names no lab.
[[nodiscard]] std::optional<LaunchChoice> choice_of(const TourStop& stop, const Catalogue& catalogue);

}  // namespace histolab::viewer
