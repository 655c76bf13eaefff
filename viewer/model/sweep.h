// Sweep: how fast strategies count if P percent of the elements are hot. Hot elements are the same
// letter, so they fall into one bin; the others are spread evenly. These are the datasets hot:P
// (datasets/generators.h). Rates are in elements per second.
//
// One Sweep never mixes measured rates (`histolab bench`) with modelled ones (`histolab model`).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/catalogue.h"
#include "viewer/model/measurements.h"

namespace histolab::viewer {

struct SweepPoint {
  double percent = 0, elements_per_s = 0;
};

struct SweepLine {
  std::string kernel;    // "shared-interleaved", "04-privatization"
  std::string name;      // a description
  std::string strategy;  // its name in `histolab bench`, or empty
  int color = 0;         // argument of series_color: the same for a strategy in every sweep
  bool own = false;      // the student's own kernel
  std::vector<SweepPoint> points;  // sorted by percent

  // Interpolates the rate between two points, linearly on a logarithmic axis like the plot. Returns
  // nullopt outside the points.
  [[nodiscard]] std::optional<double> at(double percent) const;
  [[nodiscard]] bool has_point(double percent) const;
};

struct Sweep {
  bool measured = false;
  std::string origin;  // "NVIDIA H200, 2026-11-22"; for a model, its profile
  std::uint32_t bins = 0;
  bool letters = false;  // bins of letters; else the values of a byte, evenly divided
  std::vector<SweepLine> lines;

  [[nodiscard]] const SweepLine* find(std::string_view strategy) const;
};

// Returns the numbers of bins for which there are strategies to compare, in ascending order. The
// catalogue has the strategy of each lab's solution.
[[nodiscard]] std::vector<std::uint32_t> bins_measured(const std::vector<Bench>& benches,
                                                       const Catalogue& catalogue);
// Returns the sweep of the first file that has one, or a sweep without lines.
[[nodiscard]] Sweep measured_sweep(const std::vector<Bench>& benches, std::uint32_t bins,
                                   const Catalogue& catalogue);

// Returns, per bin, the probability that an element falls into it.
[[nodiscard]] std::vector<double> chances(std::uint32_t bins, bool letters, double percent);

// Returns elements per second at each percentage, under the assumption that only the hottest bin's
// address limits global atomics. That address takes one update at a time (closed_forms.h). Its
// latency comes from the line of global atomics at 100 %; the result is empty without that point.
[[nodiscard]] std::vector<double> one_address_bound(const Sweep& sweep,
                                                    const std::vector<double>& percentages);

// Keeps the lines of these strategies. Returns all lines if `strategies` is empty or the sweep has
// none of them.
[[nodiscard]] Sweep select_strategies(Sweep sweep, const std::vector<std::string>& strategies);

// Describes the rates at `percent`. Compares a line of global atomics with one of private copies if
// the sweep has both; else names each line. Returns an empty text if no rate is known there.
[[nodiscard]] std::string describe_rates(const Sweep& sweep, double percent);

// A sweep that is modelled launch by launch.
class ModelledSweep {
 public:
  struct Contender {
    std::string lab, title, strategy, kernel;  // kernel: a file; if empty, the lab's solution
    bool own = false;
    std::uint64_t version = 0;  // of the file's text; a new version is modelled again
    bool operator==(const Contender&) const = default;
  };
  struct Launch {
    Contender contender;
    double percent = 0;
  };

  // Sets the contenders to model. Keeps the answers of contenders that were already set.
  void set(std::vector<Contender> contenders);
  // The next launch without an answer, from coarse to fine percentages. Returns nullopt if all are
  // done.
  [[nodiscard]] std::optional<Launch> next() const;
  // Adds the output of `histolab model --json` for a launch.
  void answer(const Launch& launch, const nlohmann::json& output);
  // Call this if the command printed nothing. Stops modelling this contender.
  void give_up(const Launch& launch);

  [[nodiscard]] Sweep sweep() const;
  [[nodiscard]] std::size_t answered() const;
  [[nodiscard]] std::size_t launches() const;

 private:
  struct Answers {
    Contender contender;
    std::map<double, double> rates;  // key: percent
    bool given_up = false;
  };
  std::vector<Answers> all_;
  std::string origin_;
};

// The solutions that count seven bins of letters correctly.
[[nodiscard]] std::vector<ModelledSweep::Contender> solutions_to_model(const Catalogue& catalogue);
// The arguments after the program's name.
[[nodiscard]] std::vector<std::string> model_command(const ModelledSweep::Launch& launch);

}  // namespace histolab::viewer
