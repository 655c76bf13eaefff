#include "viewer/model/calculators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/words/words.h"
#include "reference/closed_forms.h"
#include "viewer/model/engineering.h"

namespace histolab::viewer {
namespace {

namespace forms = reference;
using Given = std::span<const double>;

constexpr double ns_per_ms = 1e6;
constexpr std::uint32_t warp = 32;

std::uint32_t whole(double value) { return static_cast<std::uint32_t>(value); }
std::string ns(double time) {
  return time < 1000 ? fmt::format("{:.3g} ns", time) : grader::duration(time / ns_per_ms);
}
std::string rate(double per_s) { return engineering(per_s); }
double hottest(double bins, double exponent) { return forms::zipf(whole(bins), exponent).front(); }

// ---- parameters that several calculators share --------------------------------------------------

constexpr Parameter latency_ns{"latency", "latency (ns)", 1, 2000, true};
constexpr Parameter bins{"bins", "bins", 1, 256, true, true};
constexpr Parameter skew{"skew", "skew (Zipf exponent)", 0, 4};

// ---- latency ------------------------------------------------------------------------------------

Calculator of_latency() {
  return {
      .id = "latency",
      .title = "Latency of one address",
      .formula = "updates/s = 1 / latency,  latency = clocks / clock rate",
      .parameters = {{"clocks", "latency (clocks)", 1, 2000, true},
                     {"clock", "clock rate (GHz)", 0.5, 3}},
      .presets = {{"100 ns", {100, 1}}, {"10 ns", {10, 1}}, {"1 ns", {1, 1}}},
      .first_curve = 0,
      .unit = Unit::updates_per_s,
      .answer = [](Given v) { return forms::updates_per_second(forms::nanoseconds(v[0], v[1])); },
      .sentence =
          [](Given v) {
            return fmt::format(
                "One address takes one update at a time. Each takes {}, so all threads together "
                "make {} per second.",
                ns(forms::nanoseconds(v[0], v[1])),
                rate(forms::updates_per_second(forms::nanoseconds(v[0], v[1]))));
          },
      .measured =
          [](const MeasuredFigures& f, Given) {
            if (f.global_atomic_clocks == 0) return std::string{};
            std::string text = fmt::format(
                "a chain of dependent global atomic additions takes {:.4g} clocks each, {}",
                f.global_atomic_clocks, ns(f.nanoseconds(f.global_atomic_clocks)));
            if (!f.updates_per_ns.points().empty())
              text += fmt::format(
                  "; the L2 performs additions whose result is unused, {} per second on one word",
                  rate(f.updates_per_ns.at(1) * 1e9));
            return text;
          },
      .as_measured =
          [](const MeasuredFigures& f, Values) {
            return Values{f.global_atomic_clocks, f.sm_ghz};
          }};
}

Calculator with_cache() {
  return {.id = "cache",
          .title = "With a cache",
          .formula = "updates/s = 1 / (hit rate x hit latency + (1 - hit rate) x miss latency)",
          .parameters = {{"hit_rate", "hit rate (%)", 0, 100},
                         {"hit", "latency of a hit (ns)", 1, 500, true},
                         {"miss", "latency of a miss (ns)", 1, 2000, true}},
          .presets = {{"90 % hits of 4 ns", {90, 4, 100}},
                      {"50 %", {50, 4, 100}},
                      {"no hits", {0, 4, 100}}},
          .first_curve = 0,
          .unit = Unit::updates_per_s,
          .answer =
              [](Given v) {
                return forms::updates_per_second(forms::mean_latency_ns(v[0] / 100, v[1], v[2]));
              },
          .sentence =
              [](Given v) {
                return fmt::format(
                    "An access takes {} on average: {:.3g} % of them take {}, the others {}.",
                    ns(forms::mean_latency_ns(v[0] / 100, v[1], v[2])), v[0], ns(v[1]), ns(v[2]));
              },
          .measured =
              [](const MeasuredFigures& f, Given) {
                if (f.l1_clocks == 0 || f.l2_clocks == 0 || f.dram_clocks == 0)
                  return std::string{};
                return fmt::format(
                    "a load takes {} from the L1, {} from the L2 and {} from DRAM; the L2 performs "
                    "atomic additions",
                    ns(f.nanoseconds(f.l1_clocks)), ns(f.nanoseconds(f.l2_clocks)),
                    ns(f.nanoseconds(f.dram_clocks)));
              },
          .as_measured =
              [](const MeasuredFigures& f, Values v) {
                return Values{v[0], f.nanoseconds(f.l2_clocks), f.nanoseconds(f.dram_clocks)};
              }};
}

Calculator privatized() {
  return {.id = "privatization",
          .title = "Private copies with a commit",
          .formula = "updates/s = 1 / (private latency x (1 + share of the commit))",
          .parameters = {{"latency", "latency of a private update (ns)", 0.1, 200, true},
                         {"commit", "extra time for the commit (%)", 0, 200}},
          .presets = {{"1 ns and 10 %", {1, 10}},
                      {"1 ns, no commit", {1, 0}},
                      {"4 ns and 10 %", {4, 10}}},
          .first_curve = 0,
          .unit = Unit::updates_per_s,
          .answer = [](Given v) { return forms::updates_per_second_privatized(v[0], v[1] / 100); },
          .sentence =
              [](Given v) {
                return fmt::format(
                    "An update of a private copy takes {}; adding the copies to the result takes "
                    "{:.3g} % extra time.",
                    ns(v[0]), v[1]);
              },
          .measured =
              [](const MeasuredFigures& f, Given) {
                if (f.shared_atomic_clocks == 0) return std::string{};
                return fmt::format(
                    "a chain of dependent shared atomic additions takes {:.4g} clocks each, {}",
                    f.shared_atomic_clocks, ns(f.nanoseconds(f.shared_atomic_clocks)));
              },
          .as_measured =
              [](const MeasuredFigures& f, Values v) {
                return Values{f.nanoseconds(f.shared_atomic_clocks), v[1]};
              }};
}

Calculator operations() {
  return {
      .id = "operations",
      .title = "Operations per update",
      .formula = "operations/s = operations per update / latency",
      .parameters = {latency_ns, {"operations", "operations per update", 1, 1000, true, true}},
      .presets = {{"5 at 100 ns", {100, 5}}, {"5 at 1 ns", {1, 5}}, {"100 at 100 ns", {100, 100}}},
      .first_curve = 0,
      .unit = Unit::operations_per_s,
      .answer =
          [](Given v) {
            return forms::operations_per_second(forms::updates_per_second(v[0]), v[1]);
          },
      .sentence =
          [](Given v) {
            return fmt::format(
                "{} updates per second with {:.0f} floating-point operations each: the updates "
                "also limit the arithmetic.",
                rate(forms::updates_per_second(v[0])), v[1]);
          }};
}

Calculator over_addresses() {
  return {.id = "addresses",
          .title = "Several addresses",
          .formula = "updates/s = 1 / latency / share of the hottest bin",
          .parameters = {latency_ns, bins, skew},
          .presets = {{"7 equal bins", {100, 7, 0}},
                      {"1 bin", {100, 1, 0}},
                      {"7 bins, skewed", {100, 7, 1}},
                      {"256 equal bins", {100, 256, 0}}},
          .first_curve = 1,
          .unit = Unit::updates_per_s,
          .answer =
              [](Given v) {
                return forms::updates_per_second_over_addresses(v[0], hottest(v[1], v[2]));
              },
          .sentence =
              [](Given v) {
                return fmt::format(
                    "Addresses are updated in parallel, and the busiest one finishes last: it "
                    "takes {:.3g} % of all updates.",
                    100 * hottest(v[1], v[2]));
              },
          .measured =
              [](const MeasuredFigures& f, Given v) {
                if (f.updates_per_ns.points().empty()) return std::string{};
                return fmt::format("additions to {} reach {} per second, to one word {}",
                                   grader::counted(whole(v[1]), "random word"),
                                   rate(f.updates_per_ns.at(v[1]) * 1e9),
                                   rate(f.updates_per_ns.at(1) * 1e9));
              },
          .as_measured =
              [](const MeasuredFigures& f, Values v) {
                return Values{f.nanoseconds(f.global_atomic_clocks), v[1], v[2]};
              }};
}

forms::Privatization copies_of(Given v) { return {v[0], v[1] / 100, v[2], v[3]}; }

Calculator copies() {
  return {.id = "copies",
          .title = "Number of copies",
          .formula =
              "T(P) = updates x hottest share / P x update + P x commit,  minimal at P = "
              "sqrt(updates x hottest share x update / commit)",
          .parameters = {{"updates", "updates", 1000, 1e9, true, true},
                         {"hottest", "share of the hottest bin (%)", 0.1, 100, true},
                         {"update", "update of a copy (ns)", 0.1, 1000, true},
                         {"commit", "commit of a copy (ns)", 0.1, 1000, true},
                         {"copies", "copies P", 1, 65'536, true, true}},
          .presets = {{"one hot bin", {1'000'000, 100, 1, 100, 100}},
                      {"7 equal bins", {1'000'000, 100.0 / 7, 1, 100, 38}},
                      {"one copy", {1'000'000, 100, 1, 100, 1}},
                      {"too many", {1'000'000, 100, 1, 100, 10'000}}},
          .first_curve = 4,
          .unit = Unit::nanoseconds,
          .answer = [](Given v) { return forms::privatized_ns(copies_of(v), v[4]); },
          .sentence =
              [](Given v) {
                const double best = forms::best_copies(copies_of(v));
                return fmt::format(
                    "{} take this long with {}. The best number is {:.0f}, which takes {}: more "
                    "copies cost more in the commit than they save.",
                    grader::counted(whole(v[0]), "update"),
                    grader::counted(whole(v[4]), "copy", "copies"), best,
                    ns(forms::privatized_ns(copies_of(v), best)));
              },
          .measured =
              [](const MeasuredFigures& f, Given) {
                if (f.shared_atomic_clocks == 0 || f.global_atomic_clocks == 0)
                  return std::string{};
                return fmt::format(
                    "a chain of dependent atomic additions takes {} each in shared memory, {} in "
                    "global memory",
                    ns(f.nanoseconds(f.shared_atomic_clocks)),
                    ns(f.nanoseconds(f.global_atomic_clocks)));
              },
          .as_measured =
              [](const MeasuredFigures& f, Values v) {
                return Values{v[0], v[1], f.nanoseconds(f.shared_atomic_clocks),
                              f.nanoseconds(f.global_atomic_clocks), v[4]};
              },
          .best = [](Given v) { return forms::best_copies(copies_of(v)); },
          .best_of = 4};
}

Calculator serialization() {
  Calculator calculator{
      .id = "serialization",
      .title = "Lanes on one bin",
      .formula =
          "steps = E[max lanes on one bin],  P(max <= m) = lanes! [x^lanes] prod_b sum_(i <= m) "
          "(p_b x)^i / i!",
      .parameters = {{"lanes", "active lanes", 1, warp, false, true}, bins, skew},
      .presets = {{"32 lanes, 7 bins", {32, 7, 0}},
                  {"1 bin", {32, 1, 0}},
                  {"256 bins", {32, 256, 0}},
                  {"7 bins, skewed", {32, 7, 1}}},
      .first_curve = 1,
      .unit = Unit::steps,
      .answer =
          [](Given v) {
            return forms::expected_serialization(whole(v[0]), forms::zipf(whole(v[1]), v[2]));
          },
      .sentence =
          [](Given v) {
            return fmt::format(
                "Each of {} draws a bin. They update {:.3g} different bins on average, and lanes "
                "on the same bin are serialized.",
                grader::counted(whole(v[0]), "lane"),
                forms::expected_distinct(whole(v[0]), forms::zipf(whole(v[1]), v[2])));
          },
      .measured =
          [](const MeasuredFigures& f, Given) {
            if (f.request_on_one_word_ns == 0 || f.request_on_32_words_ns == 0)
              return std::string{};
            return fmt::format(
                "a warp's reduction takes {} if its 32 lanes update one word, {} if each lane has "
                "its own",
                ns(f.request_on_one_word_ns), ns(f.request_on_32_words_ns));
          }};
  calculator.curve_points = warp;  // each takes a millisecond or more
  return calculator;
}

Calculator aggregated_runs() {
  return {.id = "runs",
          .title = "Aggregation of runs",
          .formula = "updates per element = 1 / mean length of a run",
          .parameters = {{"run", "mean length of a run (elements)", 1, 256, true}},
          .presets = {{"runs of 4", {4}}, {"no runs", {1}}, {"runs of 32", {32}}},
          .first_curve = 0,
          .unit = Unit::updates_per_element,
          .answer = [](Given v) { return 1 / v[0]; },
          .sentence =
              [](Given v) {
                return fmt::format(
                    "A thread counts a run in a register and makes one update for it. This saves "
                    "{:.3g} % of the updates.",
                    100 * (1 - 1 / v[0]));
              }};
}

Calculator aggregated_letters() {
  return {.id = "aggregation",
          .title = "Aggregation of independent elements",
          .formula = "updates per element = 1 - sum of p_b x p_b",
          .parameters = {bins, skew},
          .presets = {{"7 equal bins", {7, 0}},
                      {"7 bins, skewed", {7, 1}},
                      {"256 equal bins", {256, 0}},
                      {"one hot bin", {7, 4}}},
          .first_curve = 1,
          .unit = Unit::updates_per_element,
          .answer =
              [](Given v) {
                return forms::updates_per_element_aggregated(forms::zipf(whole(v[0]), v[1]));
              },
          .sentence =
              [](Given v) {
                const double updates =
                    forms::updates_per_element_aggregated(forms::zipf(whole(v[0]), v[1]));
                return fmt::format(
                    "A run ends if the next element has another bin. If elements are independent, "
                    "{:.3g} % have the bin of the previous one.",
                    100 * (1 - updates));
              }};
}

double read_rate(Given v) { return forms::elements_per_second(v[0], v[1] * 1e9, 0, 1); }

Calculator roofline() {
  return {
      .id = "roofline",
      .title = "Roofline",
      .formula = "elements/s = min(bytes/s / bytes per element, updates/s / updates per element)",
      .parameters = {{"bytes", "bytes read per element", 1, 16, true, true},
                     {"bandwidth", "memory bandwidth (GB/s)", 10, 10'000, true},
                     {"updates", "updates per element", 0.001, 4, true},
                     {"rate", "updates (G/s)", 0.001, 10'000, true}},
      .presets = {{"one hot word", {1, 1000, 1, 0.01}},
                  {"aggregated by 32", {1, 1000, 1.0 / 32, 0.01}},
                  {"private copies", {1, 1000, 1, 2000}}},
      .first_curve = 2,
      .unit = Unit::elements_per_s,
      .answer =
          [](Given v) { return forms::elements_per_second(v[0], v[1] * 1e9, v[2], v[3] * 1e9); },
      .sentence =
          [](Given v) {
            const double read = read_rate(v),
                         update = forms::elements_per_second(0, 1, v[2], v[3] * 1e9);
            return fmt::format(
                "Reading allows {} elements per second, updating {}: {} is the limit.", rate(read),
                rate(update), read < update ? "reading" : "updating");
          },
      .measured =
          [](const MeasuredFigures& f, Given) {
            if (f.read_gb_per_s == 0 || f.updates_per_ns.points().empty()) return std::string{};
            return fmt::format(
                "reading DRAM gives {:.4g} GB/s; additions to one word {:.3g} G/s, to 7 random "
                "words {:.3g} G/s",
                f.read_gb_per_s, f.updates_per_ns.at(1), f.updates_per_ns.at(7));
          },
      .as_measured =
          [](const MeasuredFigures& f, Values v) {
            return Values{v[0], f.read_gb_per_s, v[2],
                          f.updates_per_ns.points().empty() ? 0 : f.updates_per_ns.at(7)};
          }};
}

}  // namespace

const char* axis_label(Unit unit) {
  switch (unit) {
    case Unit::updates_per_s: return "updates per second";
    case Unit::operations_per_s: return "operations per second";
    case Unit::elements_per_s: return "elements per second";
    case Unit::nanoseconds: return "time (ns)";
    case Unit::steps: return "steps of a warp's update";
    case Unit::updates_per_element: return "updates per element";
  }
  return "";
}

std::string with_unit(Unit unit, double number) {
  switch (unit) {
    case Unit::updates_per_s: return engineering(number) + " updates/s";
    case Unit::operations_per_s: return engineering(number) + " operations/s";
    case Unit::elements_per_s: return engineering(number) + " elements/s";
    case Unit::nanoseconds: return ns(number);
    case Unit::steps: return fmt::format("{:.3g} steps", number);
    case Unit::updates_per_element: return fmt::format("{:.3g} updates per element", number);
  }
  return "";
}

std::optional<std::size_t> Calculator::parameter(std::string_view parameter_id) const {
  const auto found = std::ranges::find_if(
      parameters, [&](const Parameter& each) { return parameter_id == each.id; });
  if (found == parameters.end()) return {};
  return static_cast<std::size_t>(found - parameters.begin());
}

const std::vector<Calculator>& calculators() {
  static const std::vector<Calculator> all{
      of_latency(), with_cache(),    privatized(),      operations(),         over_addresses(),
      copies(),     serialization(), aggregated_runs(), aggregated_letters(), roofline()};
  return all;
}

const Calculator* find_calculator(std::string_view id) {
  const auto found =
      std::ranges::find_if(calculators(), [&](const Calculator& each) { return id == each.id; });
  return found == calculators().end() ? nullptr : &*found;
}

double clamped(const Parameter& parameter, double value) {
  if (std::isnan(value)) return parameter.least;
  const double inside = std::clamp(value, parameter.least, parameter.most);
  return parameter.whole ? std::round(inside) : inside;
}

Curve curve_over(const Calculator& calculator, const Values& values, std::size_t parameter) {
  const Parameter& over = calculator.parameters[parameter];
  Curve curve;
  Values at = values;
  for (std::size_t i = 0; i < calculator.curve_points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(calculator.curve_points - 1);
    const double x = over.logarithmic ? over.least * std::pow(over.most / over.least, share)
                                      : over.least + (over.most - over.least) * share;
    at[parameter] = clamped(over, x);
    if (!curve.x.empty() && curve.x.back() == at[parameter]) continue;  // whole numbers may repeat
    curve.x.push_back(at[parameter]);
    curve.y.push_back(calculator.answer(at));
  }
  return curve;
}

}  // namespace histolab::viewer
