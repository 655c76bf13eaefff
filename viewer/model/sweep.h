// Sweep: how fast strategies count when P percent of the elements are hot: the same letter, and so
// in one bin. The others are spread evenly. These are the datasets hot:P (datasets/generators.h);
// rates are of elements a second.
//
// What was measured (`histolab bench`) and what is modelled (`histolab model`) are never in one
// Sweep.
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
  std::string kernel, name;  // "shared-interleaved", "04-privatization"; what it does, for a person
  std::string strategy;      // as `histolab bench` calls it; empty: it has no name
  int color = 0;             // of series_color: a strategy has the same in every sweep
  bool own = false;          // the student's
  std::vector<SweepPoint> points;  // by percent

  // On the straight line between two points, as a plot with a logarithmic axis draws it; none
  // outside of the points.
  [[nodiscard]] std::optional<double> at(double percent) const;
  [[nodiscard]] bool has_point(double percent) const;
};

struct Sweep {
  bool measured = false;
  std::string origin;  // "NVIDIA H200, 2026-11-22"; of a model its profile
  std::uint32_t bins = 0;
  bool letters = false;  // bins of letters; else of all values of a byte, alike
  std::vector<SweepLine> lines;

  [[nodiscard]] const SweepLine* find(std::string_view strategy) const;
};

// The numbers of bins with strategies to compare, rising. The catalogue says what the labs'
// solutions do.
[[nodiscard]] std::vector<std::uint32_t> bins_measured(const std::vector<Bench>& benches,
                                                       const Catalogue& catalogue);
// Of the nearest file that has them; without lines where none has.
[[nodiscard]] Sweep measured_sweep(const std::vector<Bench>& benches, std::uint32_t bins,
                                   const Catalogue& catalogue);

// The chance of each bin that an element falls into it.
[[nodiscard]] std::vector<double> chances(std::uint32_t bins, bool letters, double percent);

// Elements a second, at each of the percentages, if all that held global atomics back were the
// address of the hottest bin: it takes one update at a time (closed_forms.h), with the latency of
// the line of global atomics at 100 %. Empty without that.
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
    std::string lab, title, strategy, kernel;  // kernel: a file; empty: the lab's solution
    bool own = false;
    std::uint64_t version = 0;  // of the file's text: another one is modelled again
    bool operator==(const Contender&) const = default;
  };
  struct Launch {
    Contender contender;
    double percent = 0;
  };

  // Who is to be modelled. Answers are kept of those who were there before.
  void set(std::vector<Contender> contenders);
  // The next launch that nobody has answered: from coarse to fine; nullopt: all are done.
  [[nodiscard]] std::optional<Launch> next() const;
  // What `histolab model --json` said of it.
  void answer(const Launch& launch, const nlohmann::json& said);
  // It said nothing: nothing more is asked of this contender.
  void give_up(const Launch& launch);

  [[nodiscard]] Sweep sweep() const;
  [[nodiscard]] std::size_t answered() const;
  [[nodiscard]] std::size_t launches() const;

 private:
  struct Answers {
    Contender contender;
    std::map<double, double> rates;  // by percent
    bool given_up = false;
  };
  std::vector<Answers> all_;
  std::string origin_;
};

// The solutions that count seven bins of letters, and right.
[[nodiscard]] std::vector<ModelledSweep::Contender> solutions_to_model(const Catalogue& catalogue);
// The words after the program's name.
[[nodiscard]] std::vector<std::string> model_command(const ModelledSweep::Launch& launch);

}  // namespace histolab::viewer
