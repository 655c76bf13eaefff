#include "viewer/model/tour.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/files/json_reader.h"
#include "grader/words/words.h"
#include "reference/fields.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {

template <class F, Describes<TourStop> Value>
void fields(F& f, Value& stop) {
  f("title", stop.title), f("caption", stop.caption), f("panel", stop.panel);
  f("lab", stop.lab), f.exact("kernel", stop.kernel), f.exact("dataset", stop.dataset);
  f("schedule", stop.schedule), f("block_order", stop.block_order), f.exact("text", stop.text);
  f("length", stop.length), f("seed", stop.seed), f("grid", stop.grid), f("block", stop.block);
  f("speed", stop.speed), f("run", stop.run);
}

Result<Tour> tour_in(const Json& json, const std::string& file) {
  const Json& stops = at(json, "stops");
  if (!stops.is_array() || stops.empty())
    return Error{fmt::format("{}: a tour needs \"stops\", a list of at least one stop", file)};
  Tour tour;
  for (const Json& each : stops) {
    const TourStop& stop = tour.stops.emplace_back(read_leniently<TourStop>(each));
    tour.stops.back().settings = at(each, "settings");
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
