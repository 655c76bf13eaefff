#include "viewer/model/sweep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "reference/closed_forms.h"
#include "viewer/model/engineering.h"
#include "viewer/model/json_access.h"

namespace histolab::viewer {
namespace {

// In drawing order.
struct Strategy {
  std::string_view name;  // as in `histolab bench` and lab.json
  const char* does;
  int color;
};
constexpr std::array<Strategy, 9> strategies{{
    {"global", "one atomic operation per element, in global memory", 0},
    {"global-interleaved", "the same, threads in a grid-stride loop", 1},
    {"global-interleaved-aggregated",
     "runs counted in a register, then one atomic in global memory", 2},
    {"shared", "private copy in shared memory", 3},
    {"shared-interleaved", "private copy, threads in a grid-stride loop", 4},
    {"shared-interleaved-aggregated", "private copy, runs counted in a register", 4},
    {"shared-contiguous-16", "private copy, 16 neighbours per thread", 5},
    {"cub", "CUB's DeviceHistogram", 7},
    {"limit", "the limit kernels", 6},
}};
constexpr std::string_view loses_updates = "race";  // fast but wrong, so not compared

std::size_t place_of(std::string_view strategy) {
  return static_cast<std::size_t>(std::ranges::find(strategies, strategy, &Strategy::name) -
                                  strategies.begin());
}

SweepLine line_of(const std::string& kernel, const std::string& strategy,
                  const std::string& otherwise) {
  const std::size_t place = place_of(strategy);
  if (place < strategies.size())
    return {kernel, strategies[place].does, strategy, strategies[place].color, false, {}};
  return {kernel, otherwise, {}, static_cast<int>(std::hash<std::string>{}(kernel) % 8), false, {}};
}

// `kernel` is the name of a strategy, or a lab whose solution was measured.
SweepLine measured_line(const std::string& kernel, const Catalogue& catalogue) {
  const auto lab = std::ranges::find(catalogue.labs, kernel, &Lab::name);
  return line_of(kernel, lab == catalogue.labs.end() ? kernel : lab->strategy, kernel);
}

void put(SweepLine& line, double percent, double rate) {
  const auto at = std::ranges::lower_bound(line.points, percent, {}, &SweepPoint::percent);
  if (at == line.points.end() || at->percent != percent) line.points.insert(at, {percent, rate});
}

// Parses P from "hot:P".
std::optional<double> percent_of(std::string_view dataset) {
  constexpr std::string_view family = "hot:";
  if (!dataset.starts_with(family)) return {};
  dataset.remove_prefix(family.size());
  double percent = 0;
  const auto [end, failure] =
      std::from_chars(dataset.data(), dataset.data() + dataset.size(), percent);
  if (failure != std::errc{} || end != dataset.data() + dataset.size() ||
      !(percent >= 0 && percent <= 100))
    return {};
  return percent;
}

Sweep sweep_of(const Bench& bench, std::uint32_t bins, const std::string& layout,
               const Catalogue& catalogue) {
  Sweep sweep{true,
              bench.date.empty() ? bench.device : fmt::format("{}, {}", bench.device, bench.date),
              bins,
              layout == "letters",
              {}};
  std::uint64_t longest = 0;
  const auto fits = [&](const BenchRow& row) {
    return row.bins == bins && row.layout == layout && row.sample_bytes == 1 && row.verified &&
           row.elements_per_s > 0 && std::isfinite(row.elements_per_s) &&
           percent_of(row.dataset).has_value();
  };
  for (const BenchRow& row : bench.rows)
    if (fits(row)) longest = std::max(longest, row.length);
  for (const BenchRow& row : bench.rows) {
    if (!fits(row) || row.length != longest) continue;
    auto line = std::ranges::find(sweep.lines, row.kernel, &SweepLine::kernel);
    if (line == sweep.lines.end())
      line = sweep.lines.insert(line, measured_line(row.kernel, catalogue));
    put(*line, *percent_of(row.dataset), row.elements_per_s);
  }
  std::erase_if(sweep.lines, [](const SweepLine& line) { return line.points.size() < 2; });
  std::ranges::stable_sort(sweep.lines, {},
                           [](const SweepLine& line) { return place_of(line.strategy); });
  return sweep;
}

// Returns the lines of one strategy without and with private copies, or nullopt if the sweep lacks
// such a pair.
std::optional<std::pair<const SweepLine*, const SweepLine*>> compared(const Sweep& sweep) {
  constexpr std::array<std::pair<const char*, const char*>, 2> pairs{
      {{"global-interleaved", "shared-interleaved"}, {"global", "shared"}}};
  for (const auto& [global, copies] : pairs)
    if (sweep.find(global) != nullptr && sweep.find(copies) != nullptr)
      return std::pair{sweep.find(global), sweep.find(copies)};
  return {};
}

// From coarse to fine.
constexpr std::array<double, 9> percentages{0, 100, 50, 90, 25, 75, 10, 99, 95};
// The dataset's name on the command line of `histolab model`.
std::string dataset_of(double percent) { return fmt::format("hot:{}", percent); }

}  // namespace

std::optional<double> SweepLine::at(double percent) const {
  const auto next = std::ranges::lower_bound(points, percent, {}, &SweepPoint::percent);
  if (next == points.end()) return {};
  if (next->percent == percent) return next->elements_per_s;
  if (next == points.begin()) return {};
  const SweepPoint& before = *(next - 1);
  const double share = (percent - before.percent) / (next->percent - before.percent);
  return before.elements_per_s * std::pow(next->elements_per_s / before.elements_per_s, share);
}

bool SweepLine::has_point(double percent) const {
  return std::ranges::find(points, percent, &SweepPoint::percent) != points.end();
}

const SweepLine* Sweep::find(std::string_view strategy) const {
  const auto found = std::ranges::find(lines, strategy, &SweepLine::strategy);
  return found == lines.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> bins_measured(const std::vector<Bench>& benches,
                                         const Catalogue& catalogue) {
  std::set<std::uint32_t> candidates;
  for (const Bench& bench : benches)
    for (const BenchRow& row : bench.rows)
      if (percent_of(row.dataset)) candidates.insert(row.bins);
  std::vector<std::uint32_t> bins;
  for (const std::uint32_t each : candidates)
    if (!measured_sweep(benches, each, catalogue).lines.empty()) bins.push_back(each);
  return bins;
}

Sweep measured_sweep(const std::vector<Bench>& benches, std::uint32_t bins,
                     const Catalogue& catalogue) {
  for (const Bench& bench : benches)
    for (const char* layout : {"letters", "even"})
      if (Sweep sweep = sweep_of(bench, bins, layout, catalogue); compared(sweep)) return sweep;
  return {true, {}, bins, false, {}};
}

std::vector<double> chances(std::uint32_t bins, bool letters, double percent) {
  const double hot = std::clamp(percent / 100, 0.0, 1.0);
  std::vector<double> all(bins, (1 - hot) / std::max(1u, bins));
  if (letters) {
    // Bins of so many letters each, fewer in the last; the hot one is m.
    const std::uint32_t width = (26 + bins - 1) / std::max(1u, bins);
    for (std::uint32_t bin = 0; bin < bins; ++bin)
      all[bin] = (1 - hot) * std::clamp(26.0 - bin * width, 0.0, static_cast<double>(width)) / 26;
    if (bins > 0) all[std::min(bins - 1, ('m' - 'a') / width)] += hot;
  } else if (bins > 0) {
    all[0] += hot;
  }
  return all;
}

std::vector<double> one_address_bound(const Sweep& sweep, const std::vector<double>& percentages) {
  const auto pair = compared(sweep);
  const std::optional<double> alone = pair ? pair->first->at(100) : std::nullopt;
  std::vector<double> bound;
  if (!alone) return bound;
  for (const double percent : percentages)
    bound.push_back(reference::updates_per_second_over_addresses(
        1e9 / *alone, std::ranges::max(chances(sweep.bins, sweep.letters, percent))));
  return bound;
}

Sweep select_strategies(Sweep sweep, const std::vector<std::string>& strategies) {
  const auto wanted = [&](const SweepLine& line) {
    return std::ranges::find(strategies, line.strategy) != strategies.end();
  };
  if (std::ranges::any_of(sweep.lines, wanted)) std::erase_if(sweep.lines, std::not_fn(wanted));
  return sweep;
}

std::string describe_rates(const Sweep& sweep, double percent) {
  const char* const elements = sweep.letters ? "letters" : "elements";
  const std::string data = percent <= 0 ? fmt::format("If all {} are equally likely", elements)
                           : percent >= 100
                               ? fmt::format("If all {} are the same", elements)
                               : fmt::format("If {:g} % of the {} are the same", percent, elements);
  const auto rate = [&](const SweepLine& line) {
    const std::optional<double> at = line.at(percent);
    return at ? (line.has_point(percent) ? "" : "about ") + engineering(*at) : std::string{};
  };
  const auto pair = compared(sweep);
  if (!pair) {
    std::vector<std::string> rates;
    for (const SweepLine& line : sweep.lines)
      if (const std::string known = rate(line); !known.empty())
        rates.push_back(fmt::format("{} {}", line.kernel, known));
    return rates.empty() ? std::string{}
                         : fmt::format("{}, in {}/s: {}.", data, elements, fmt::join(rates, ", "));
  }
  const std::optional<double> global = pair->first->at(percent), copies = pair->second->at(percent);
  if (!global || !copies) return {};
  const double ratio = *copies / *global;
  const std::string times =
      ratio < 10 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.0f}", ratio);
  const char* const why = ratio < 1 ? "The copies cost more than they save."
                          : percent > 50
                              ? "Threads wait only for their own block, not for the whole grid."
                              : "Their updates do not leave the multiprocessor.";
  return fmt::format(
      "{}, atomics in global memory count {} {}/s, and private copies in shared memory {}: {} "
      "times as many. {}",
      data, rate(*pair->first), elements, rate(*pair->second), times, why);
}

void ModelledSweep::set(std::vector<Contender> contenders) {
  std::vector<Answers> all;
  for (Contender& contender : contenders) {
    const auto known = std::ranges::find(all_, contender, &Answers::contender);
    if (known != all_.end())
      all.push_back(std::move(*known));
    else
      all.push_back({std::move(contender), {}, false});
  }
  all_ = std::move(all);
}

std::optional<ModelledSweep::Launch> ModelledSweep::next() const {
  for (const double percent : percentages)
    for (const Answers& each : all_)
      if (!each.given_up && !each.rates.contains(percent)) return Launch{each.contender, percent};
  return {};
}

void ModelledSweep::answer(const Launch& launch, const Json& output) {
  const auto found = std::ranges::find(all_, launch.contender, &Answers::contender);
  if (found == all_.end()) return;  // of an older version
  const double ms = number<double>(output, "modelled_ms"),
               length = number<double>(output, "length"), rate = length / (ms / 1000);
  if (!(rate > 0) || !std::isfinite(rate)) {
    found->given_up = true;
    return;
  }
  found->rates[launch.percent] = rate;
  origin_ = fmt::format("{}, profile {}", text(output, "device"), text(output, "profile"));
}

void ModelledSweep::give_up(const Launch& launch) {
  const auto found = std::ranges::find(all_, launch.contender, &Answers::contender);
  if (found != all_.end()) found->given_up = true;
}

Sweep ModelledSweep::sweep() const {
  Sweep sweep{false, origin_.empty() ? "profile h200" : origin_, 7, true, {}};
  for (const Answers& each : all_) {
    SweepLine line = line_of(each.contender.lab, each.contender.strategy, each.contender.title);
    if (each.contender.own) line = {"my kernel", each.contender.kernel, {}, 0, true, {}};
    for (const auto& [percent, rate] : each.rates) line.points.push_back({percent, rate});
    if (!line.points.empty()) sweep.lines.push_back(std::move(line));
  }
  return sweep;
}

std::size_t ModelledSweep::answered() const {
  std::size_t count = 0;
  for (const Answers& each : all_) count += each.rates.size();
  return count;
}

std::size_t ModelledSweep::launches() const {
  std::size_t count = 0;
  for (const Answers& each : all_) count += each.given_up ? each.rates.size() : percentages.size();
  return count;
}

std::vector<ModelledSweep::Contender> solutions_to_model(const Catalogue& catalogue) {
  std::vector<ModelledSweep::Contender> contenders;
  for (const Lab& lab : catalogue.labs)
    if (lab.bin_labels.size() == 7 && lab.strategy != loses_updates)
      contenders.push_back({lab.name, lab.title, lab.strategy, {}, false, 0});
  return contenders;
}

std::vector<std::string> model_command(const ModelledSweep::Launch& launch) {
  std::vector<std::string> command{"model", launch.contender.lab, "--dataset",
                                   dataset_of(launch.percent), "--json"};
  if (!launch.contender.kernel.empty())
    command.insert(command.end(), {"--kernel", launch.contender.kernel});
  return command;
}

}  // namespace histolab::viewer
