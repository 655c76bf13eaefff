#include "viewer/model/sweep.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

namespace histolab::viewer {
namespace {

BenchRow row(const char* kernel, const char* dataset, double rate, std::uint32_t bins = 7,
             const char* layout = "letters") {
  return {kernel, dataset, layout, bins, 1, 1u << 28, rate, true};
}

Bench bench() {
  Bench measured{"NVIDIA H200", "2026-11-22", 4500, {}};
  measured.rows = {row("shared-interleaved", "hot:90", 663e9),
                   row("global-interleaved", "hot:90", 1.5e9),
                   row("global-interleaved", "hot:0", 5.5e9),
                   row("shared-interleaved", "hot:0", 663e9),
                   row("global-interleaved", "english", 5.6e9),
                   row("cub", "hot:0", 3e12),
                   row("cub", "hot:100", 3e12),
                   row("once", "hot:0", 1e9)};
  return measured;
}

TEST_CASE("sweep: one line per kernel, sorted by percent, in the order of the strategies") {
  const Sweep sweep = measured_sweep({Bench{}, bench()}, 7, {});
  CHECK(sweep.measured);
  CHECK(sweep.letters);
  CHECK(sweep.origin == "NVIDIA H200, 2026-11-22");
  REQUIRE(sweep.lines.size() == 3);  // one point does not make a line
  CHECK(sweep.lines[0].kernel == "global-interleaved");
  CHECK(sweep.lines[1].kernel == "shared-interleaved");
  CHECK(sweep.lines[2].kernel == "cub");
  REQUIRE(sweep.lines[0].points.size() == 2);
  CHECK(sweep.lines[0].points[0].percent == 0);
  CHECK(sweep.lines[0].points[1].elements_per_s == 1.5e9);
}

TEST_CASE("sweep: a lab's solution is drawn and compared under its strategy in lab.json") {
  Catalogue catalogue;
  catalogue.labs = {{"21-atomics", "T", "", "global", {}, {}},
                    {"22-copies", "T", "", "shared", {}, {}}};
  Bench measured;
  for (const char* kernel : {"22-copies", "21-atomics", "limit"})
    for (const char* dataset : {"hot:0", "hot:100"})
      measured.rows.push_back(row(kernel, dataset, kernel[1] == '1' ? 1e9 : 8e9));
  CHECK(measured_sweep({measured}, 7, {}).lines.empty());  // unknown without a catalogue
  const Sweep sweep = measured_sweep({measured}, 7, catalogue);
  REQUIRE(sweep.lines.size() == 3);
  CHECK(sweep.lines[0].kernel == "21-atomics");
  CHECK(sweep.lines[0].name == "one atomic operation per element, in global memory");
  CHECK(sweep.lines[0].color == 0);
  CHECK(sweep.lines[1].kernel == "22-copies");
  CHECK(describe_rates(sweep, 100).find(": 8 times as many.") != std::string::npos);
}

TEST_CASE("sweep: wrong, empty and short rows are skipped") {
  Bench measured = bench();
  measured.rows.push_back(row("global", "hot:0", 0));
  measured.rows.push_back(row("global", "hot:50", 1e9));
  measured.rows.push_back(row("shared", "hot:0", 1e9));
  measured.rows.push_back(row("shared", "hot:50", 1e9));
  measured.rows.back().verified = false;
  measured.rows.push_back(row("limit", "hot:0", 1e9));
  measured.rows.push_back(row("limit", "hot:50", 1e9));
  measured.rows.back().length = measured.rows[measured.rows.size() - 2].length = 1000;
  for (const char* dataset : {"hot:", "hot:x", "hot:101", "hot:-1", "hot:5 ", "hot:nan"})
    measured.rows.push_back(row("global", dataset, 1e9));
  CHECK(measured_sweep({measured}, 7, {}).lines.size() == 3);
}

TEST_CASE("sweep: the numbers of bins that can be compared") {
  Bench measured = bench();
  measured.rows.push_back(row("limit", "hot:0", 1e12, 9, "even"));
  measured.rows.push_back(row("limit", "hot:50", 1e12, 9, "even"));
  for (const char* kernel : {"global", "shared"})
    for (const char* dataset : {"hot:0", "hot:99.9"})
      measured.rows.push_back(row(kernel, dataset, 1e9, 256, "even"));
  CHECK(bins_measured({measured}, {}) == std::vector<std::uint32_t>{7, 256});
  CHECK(bins_measured({}, {}).empty());
  CHECK_FALSE(measured_sweep({measured}, 256, {}).letters);
  CHECK(measured_sweep({measured}, 256, {}).lines[0].points[1].percent == 99.9);
  CHECK(measured_sweep({measured}, 9, {}).lines.empty());
}

TEST_CASE("sweep: interpolates between two points on a logarithmic axis, and not outside") {
  const SweepLine line{"k", "n", {}, 0, false, {{10, 1e9}, {20, 1e11}}};
  CHECK(*line.at(10) == 1e9);
  CHECK(*line.at(20) == 1e11);
  CHECK(*line.at(15) == doctest::Approx(1e10));
  CHECK_FALSE(line.at(9.99));
  CHECK_FALSE(line.at(20.01));
  CHECK(line.has_point(20));
  CHECK_FALSE(line.has_point(15));
  CHECK_FALSE(SweepLine{}.at(0));
}

TEST_CASE("chances: their sum is 1; the hot bin has the hot share and its part of the rest") {
  for (const bool letters : {false, true})
    for (const double percent : {0.0, 33.0, 100.0}) {
      const std::vector<double> all = chances(7, letters, percent);
      CHECK(std::accumulate(all.begin(), all.end(), 0.0) == doctest::Approx(1));
    }
  CHECK(chances(7, true, 50)[3] == doctest::Approx(0.5 + 0.5 * 4 / 26));  // m is in m-p
  CHECK(chances(7, true, 50)[6] == doctest::Approx(0.5 * 2 / 26));        // y and z
  CHECK(chances(256, false, 90)[0] == doctest::Approx(0.9 + 0.1 / 256));
  CHECK(chances(0, true, 50).empty());
  CHECK(chances(1, false, 50) == std::vector<double>{1});
}

TEST_CASE("sweep: the sentence uses the measured rows and marks interpolated rates") {
  const Sweep sweep = measured_sweep({bench()}, 7, {});
  CHECK(describe_rates(sweep, 90) ==
        "If 90 % of the letters are the same, atomics in global memory count 1.5G letters/s, and "
        "private copies in "
        "shared memory 663G: 442 times as many. Threads wait only for their own block, not for the "
        "whole grid.");
  CHECK(describe_rates(sweep, 0).starts_with(
      "If all letters are equally likely, atomics in global memory count 5.5G "));
  CHECK(describe_rates(sweep, 0).ends_with(
      " 663G: 121 times as many. Their updates do not leave the multiprocessor."));
  CHECK(describe_rates(sweep, 45).find("about 2.87G") != std::string::npos);
  CHECK(describe_rates(sweep, 95).empty());
  CHECK(describe_rates({}, 50).empty());
  Bench slow = bench();
  slow.rows[0].elements_per_s = 0.75e9;
  CHECK(describe_rates(measured_sweep({slow}, 7, {}), 90)
            .ends_with(" 0.5 times as many. The copies cost more than they save."));
}

TEST_CASE("sweep: only selected lines are drawn and named in the sentence") {
  Sweep sweep{true, "GPU", 7, true, {}};
  for (const auto& [strategy, rate] :
       {std::pair{"shared", 316e9}, {"shared-contiguous-16", 1.47e12}, {"global", 1.4e9}})
    sweep.lines.push_back({strategy, "", strategy, 0, false, {{0, rate}, {100, rate}}});
  CHECK(select_strategies(sweep, {}).lines.size() == 3);
  CHECK(select_strategies(sweep, {"none"}).lines.size() == 3);
  CHECK(describe_rates(select_strategies(sweep, {"global"}), 100) ==
        "If all letters are the same, in letters/s: global 1.4G.");
  CHECK(describe_rates(select_strategies(sweep, {"shared", "shared-contiguous-16"}), 50) ==
        "If 50 % of the letters are the same, in letters/s: shared about 316G, "
        "shared-contiguous-16 about 1.47T.");
  CHECK(
      describe_rates(select_strategies(sweep, {"shared", "global"}), 0).find("226 times as many") !=
      std::string::npos);
}

TEST_CASE("sweep: the bound of one hot address is its rate at 100 % divided by its share") {
  Bench measured = bench();
  CHECK(one_address_bound(measured_sweep({measured}, 7, {}), {0}).empty());
  measured.rows.push_back(row("global-interleaved", "hot:100", 1.4e9));
  const std::vector<double> bound = one_address_bound(measured_sweep({measured}, 7, {}), {100, 50});
  REQUIRE(bound.size() == 2);
  CHECK(bound[0] == doctest::Approx(1.4e9));
  CHECK(bound[1] == doctest::Approx(1.4e9 / (0.5 + 0.5 * 4 / 26)));
  CHECK(one_address_bound({}, {100}).empty());
}

TEST_CASE("modelled sweep: goes from coarse to fine and keeps the answers") {
  ModelledSweep model;
  CHECK_FALSE(model.next());
  model.set({{"02-atomic-add", "A", "global", "", false, 0},
             {"04-privatization", "P", "shared", "", false, 0}});
  CHECK(model.launches() == 18);
  const auto first = model.next();
  REQUIRE(first);
  CHECK(model_command(*first) ==
        std::vector<std::string>{"model", "02-atomic-add", "--dataset", "hot:0", "--json"});
  const nlohmann::json output{
      {"modelled_ms", 1.0}, {"length", 1'000'000}, {"device", "NVIDIA H200"}, {"profile", "h200"}};
  model.answer(*first, output);
  CHECK(model.next()->contender.lab == "04-privatization");
  CHECK(model.answered() == 1);
  CHECK(model.sweep().lines.size() == 1);
  CHECK(model.sweep().lines[0].points[0].elements_per_s == doctest::Approx(1e9));
  CHECK(model.sweep().origin == "NVIDIA H200, profile h200");
  CHECK_FALSE(model.sweep().measured);

  // The student's file is added, and changes while it is modelled.
  const ModelledSweep::Contender own{"02-atomic-add", "", "", "/tmp/k.cu", true, 1};
  model.set({{"02-atomic-add", "A", "global", "", false, 0}, own});
  CHECK(model.answered() == 1);
  CHECK(model.next()->contender.own);
  CHECK(model_command({own, 99.5}).back() == "/tmp/k.cu");
  CHECK(model_command({own, 99.5})[3] == "hot:99.5");
  model.answer({own, 0}, output);
  CHECK(model.sweep().lines[1].own);
  ModelledSweep::Contender changed = own;
  changed.version = 2;
  model.set({{"02-atomic-add", "A", "global", "", false, 0}, changed});
  model.answer({own, 50}, output);
  CHECK(model.answered() == 1);
  model.give_up({changed, 0});
  CHECK_FALSE(model.next()->contender.own);
  while (const auto launch = model.next()) model.answer(*launch, output);
  CHECK(model.answered() == model.launches());
}

TEST_CASE("modelled sweep: an invalid answer ends its contender") {
  ModelledSweep model;
  model.set({{"02-atomic-add", "A", "global", "", false, 0}});
  model.answer(*model.next(), {{"modelled_ms", 0}, {"length", 5}});
  CHECK_FALSE(model.next());
  CHECK(model.sweep().lines.empty());
}

TEST_CASE("modelled sweep: models the correct solutions with seven bins of letters") {
  Catalogue catalogue;
  for (const auto& [name, strategy, bins] : {std::tuple{"01-lost", "race", 7u},
                                             {"02-right", "global", 7u},
                                             {"03-wide", "global", 256u},
                                             {"04-odd", "", 7u}})
    catalogue.labs.push_back({name, "T", "", strategy, std::vector<std::string>(bins), {}});
  const auto contenders = solutions_to_model(catalogue);
  REQUIRE(contenders.size() == 2);
  CHECK(contenders[0].lab == "02-right");
  CHECK(contenders[0].strategy == "global");
  CHECK(contenders[1].lab == "04-odd");
}

}  // namespace
}  // namespace histolab::viewer
