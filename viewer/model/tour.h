// Tour: a presenter's script. Each stop shows one panel with a caption. Read from viewer/tour.json.
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
  std::string lab, kernel;  // kernel: role or name in the catalogue; the solution if empty
  std::string dataset, schedule, block_order, text;
  std::uint64_t length = 0, seed = 0;  // the default if 0
  std::uint32_t grid = 0, block = 0;
  double speed = 0;         // steps per second; no limit if 0
  bool run = false;         // start the launch when the stop opens
  nlohmann::json settings;  // for the panel: Panel::prepare
};

struct Tour {
  std::vector<TourStop> stops;
};

// Returns an Error that names the file and the stop if the file is missing, invalid JSON, or a stop
// is incomplete.
[[nodiscard]] Result<Tour> read_tour(const std::string& path);
[[nodiscard]] Result<Tour> tour_in(const nlohmann::json& json, const std::string& file);

// Returns an Error that says how many stops the tour has if it has no stop `number`. The first stop
// is 1.
[[nodiscard]] Status check_stop(const Tour& tour, int number);

// Returns the launch of a stop, or nullopt if the stop names no lab or `catalogue` lacks its
// kernel. A stop never runs the presenter's own kernel in work/.
[[nodiscard]] std::optional<LaunchChoice> choice_of(const TourStop& stop,
                                                    const Catalogue& catalogue);

}  // namespace histolab::viewer
