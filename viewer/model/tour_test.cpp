#include "viewer/model/tour.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <regex>

#include "viewer/model/json_access.h"
#include "viewer/model/sweep.h"

namespace histolab::viewer {
namespace {

using nlohmann::json;

TEST_CASE("tour: the viewer's own tour covers every core lab, and each stop can be shown") {
  const Result<Tour> tour = read_tour(HISTOLAB_SOURCE_DIR "/viewer/tour.json");
  REQUIRE(tour.ok());
  CHECK(tour->stops.size() >= 6);
  for (const char* lab : {"01", "02", "03", "04", "05", "06"})
    CHECK(std::ranges::any_of(tour->stops, [&](const TourStop& stop) { return stop.lab == lab; }));
  for (const TourStop& stop : tour->stops) {
    CAPTURE(stop.title);
    CHECK(stop.caption.size() <= 330);  // fits below a panel in large type
    if (stop.lab.empty() || stop.kernel == "solution") continue;
    bool there = false;
    for (const auto& lab : std::filesystem::directory_iterator{HISTOLAB_SOURCE_DIR "/labs"})
      there |= lab.path().filename().string().starts_with(stop.lab) &&
               std::filesystem::exists(lab.path() / "attempts" / stop.kernel);
    CHECK(there);
  }
}

// A class reads the caption and the picture together: they must not contradict each other.
TEST_CASE("tour: the rates in a caption match the lines of the plot") {
  const Result<Tour> tour = read_tour(HISTOLAB_SOURCE_DIR "/viewer/tour.json");
  REQUIRE(tour.ok());
  const Sweep all = measured_sweep(read_benches({HISTOLAB_SOURCE_DIR "/docs/measurements"}), 7, {});
  REQUIRE_FALSE(all.lines.empty());
  std::size_t sweeps = 0;
  for (const TourStop& stop : tour->stops) {
    if (stop.panel != "sweep") continue;
    ++sweeps;
    CAPTURE(stop.title);
    const std::vector<std::string> wanted = texts(stop.settings, "lines");
    CHECK_FALSE(wanted.empty());
    const Sweep shown = select_strategies(all, wanted);
    CHECK(shown.lines.size() == wanted.size());
    const std::regex rate{R"(([0-9.]+) ([GT])\b)"};
    std::size_t rates = 0;
    for (std::sregex_iterator each{stop.caption.begin(), stop.caption.end(), rate}, end;
         each != end; ++each, ++rates) {
      const double claimed = std::stod((*each)[1]) * ((*each)[2] == "G" ? 1e9 : 1e12);
      CAPTURE(each->str());
      CHECK(std::ranges::any_of(shown.lines, [&](const SweepLine& line) {
        return std::ranges::any_of(line.points, [&](const SweepPoint& point) {
          return std::abs(point.elements_per_s / claimed - 1) < 0.025;
        });
      }));
    }
    CHECK(rates > 0);
  }
  CHECK(sweeps >= 3);
}

TEST_CASE("tour: an incomplete stop is an error that names the stop") {
  CHECK(tour_in(json::object(), "t.json").error().message ==
        "t.json: a tour needs \"stops\", a list of at least one stop");
  const Result<Tour> tour = tour_in(
      json::parse(R"({"stops":[{"title":"a","caption":"b","panel":"race"},{"title":"c"}]})"),
      "t.json");
  REQUIRE_FALSE(tour.ok());
  CHECK(tour.error().message == "t.json: stop 2 needs a \"title\", a \"caption\" and a \"panel\"");
  CHECK_FALSE(read_tour("/no/such/tour.json").ok());
}

TEST_CASE("tour: a stop number out of range is an error with the number of stops") {
  const Tour tour{std::vector<TourStop>(12)};
  for (const int stop : {1, 2, 12}) CHECK(check_stop(tour, stop).ok());
  CHECK(check_stop(tour, 99).error().message ==
        "--stop 99: the tour has 12 stops (--stop 1 to --stop 12)");
  for (const int stop : {13, 0, -1}) CHECK_FALSE(check_stop(tour, stop).ok());
}

TEST_CASE("tour: a stop runs a kernel of the course, never the presenter's own") {
  Catalogue catalogue;
  catalogue.labs.push_back({"04-privatization",
                            "",
                            "",
                            "",
                            {},
                            {{"work", "work", "work/04-privatization.cu"},
                             {"solution", "solution", "s.cu"},
                             {"attempt", "no-zeroing", "n.cu"}}});
  TourStop stop;
  CHECK_FALSE(choice_of(stop, catalogue).has_value());
  stop.lab = "04";
  stop.kernel = "no-zeroing";
  stop.length = 77;
  stop.block = 32;
  CHECK(choice_of(stop, catalogue)->kernel == "n.cu");
  CHECK(choice_of(stop, catalogue)->lab == "04-privatization");
  CHECK(choice_of(stop, catalogue)->length == 77);
  stop.kernel.clear();
  CHECK(choice_of(stop, catalogue)->kernel == "s.cu");
  // Without solutions, or with an unknown lab, nothing runs instead.
  std::erase_if(catalogue.labs.front().kernels,
                [](const KernelFile& each) { return each.role == "solution"; });
  CHECK_FALSE(choice_of(stop, catalogue).has_value());
  stop.lab = "77";
  CHECK_FALSE(choice_of(stop, catalogue).has_value());
}

}  // namespace
}  // namespace histolab::viewer
