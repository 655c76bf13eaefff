#include "viewer/model/tour.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/files/json_reader.h"
#include "grader/words/words.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

TourStop stop_in(const Json& json) {
  TourStop stop;
  stop.title = text(json, "title");
  stop.caption = text(json, "caption");
  stop.panel = text(json, "panel");
  stop.lab = text(json, "lab");
  stop.kernel = text(json, "kernel");
  stop.dataset = text(json, "dataset");
  stop.schedule = text(json, "schedule");
  stop.block_order = text(json, "block_order");
  stop.text = text(json, "text");
  stop.length = number<std::uint64_t>(json, "length");
  stop.seed = number<std::uint64_t>(json, "seed");
  stop.grid = number<std::uint32_t>(json, "grid");
  stop.block = number<std::uint32_t>(json, "block");
  stop.speed = number<double>(json, "speed");
  stop.run = flag(json, "run");
  stop.settings = at(json, "settings");
  return stop;
}

}  // namespace

Result<Tour> tour_in(const Json& json, const std::string& file) {
  const Json& stops = at(json, "stops");
  if (!stops.is_array() || stops.empty())
    return Error{fmt::format("{}: a tour needs \"stops\", a list of at least one stop", file)};
  Tour tour;
  for (const Json& each : stops) {
    tour.stops.push_back(stop_in(each));
    const TourStop& stop = tour.stops.back();
    if (stop.title.empty() || stop.caption.empty() || stop.panel.empty())
      return Error{fmt::format("{}: stop {} needs a \"title\", a \"caption\" and a \"panel\"", file,
                               tour.stops.size())};
  }
  return tour;
}

Result<Tour> read_tour(const std::string& path) {
  return tour_in(TRY(grader::read_json_file(path, "a tour")), path);
}

Status check_stop(const Tour& tour, int number) {
  const std::size_t stops = tour.stops.size();
  if (number >= 1 && static_cast<std::size_t>(number) <= stops) return Done{};
  return Error{fmt::format("--stop {}: the tour has {} (--stop 1 to --stop {})", number,
                           grader::counted(stops, "stop"), stops)};
}

std::optional<LaunchChoice> choice_of(const TourStop& stop, const Catalogue& catalogue) {
  const Lab* const lab = catalogue.find(stop.lab);
  const KernelFile* const kernel =
      lab == nullptr ? nullptr : lab->kernel(stop.kernel.empty() ? "solution" : stop.kernel);
  if (kernel == nullptr) return {};
  LaunchChoice choice;
  choice.lab = lab->name;
  choice.kernel = kernel->path;
  if (!stop.dataset.empty()) choice.dataset = stop.dataset;
  choice.text = stop.text;
  if (!stop.schedule.empty()) choice.schedule = stop.schedule;
  if (!stop.block_order.empty()) choice.block_order = stop.block_order;
  if (stop.length > 0) choice.length = stop.length;
  if (stop.seed > 0) choice.seed = stop.seed;
  choice.grid = stop.grid;
  if (stop.block > 0) choice.block = stop.block;
  return choice;
}

}  // namespace histolab::viewer
