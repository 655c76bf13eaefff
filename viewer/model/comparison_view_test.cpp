#include "viewer/model/comparison_view.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

Catalogue labs() {
  Catalogue catalogue;
  for (const char* name : {"02-atomic-add", "04-privatization"}) {
    Lab lab;
    lab.name = name;
    lab.strategy = catalogue.labs.empty() ? "global" : "shared";
    const std::string folder = std::string{"labs/"} + name;
    lab.kernels = {{"work", "work", std::string{"work/"} + name + ".cu"},
                   {"solution", "solution", folder + "/solution.cu"},
                   {"attempt", "wrong", folder + "/attempts/wrong/kernel.cu"}};
    catalogue.labs.push_back(lab);
  }
  return catalogue;
}

nlohmann::json sample() {
  return nlohmann::json::parse(
      R"({"schema": "histolab/compare/1", "sentence": "04 is 109x faster (modelled).",
    "time": {"kind": "modelled", "device": "NVIDIA H200", "a_ms": 0.78, "b_ms": 0.0072, "ratio": 108.3, "alike": false, "faster": "b"}, "time_reason": null,
    "counters": [{"name": "x", "title": "shared", "unit": "updates", "a": 0, "b": 7, "ratio": null}, {"name": "y", "title": "global", "unit": "updates", "a": 1024, "b": 4, "ratio": 256},
                 {"name": "z", "title": "requests", "unit": "requests", "a": 1, "b": 16, "ratio": 16}],
    "a": {"label": "02", "run": {"lab": "02-atomic-add", "ending": "completed", "correct": true}},
    "b": {"label": "04", "run": {"lab": "04-privatization", "ending": "completed", "correct": true}}})");
}

bool contains(const std::vector<std::string>& words, const char* word) {
  return std::ranges::count(words, word) == 1;
}

TEST_CASE("comparison: starts with two solutions on data of one letter") {
  const CompareChoice choice = usual_comparison(labs());
  CHECK(choice.a.kernel == "labs/02-atomic-add/solution.cu");
  CHECK(choice.b.kernel == "labs/04-privatization/solution.cu");
  const auto command = compare_command(choice);
  CHECK(command ==
        std::vector<std::string>{"compare", "02-atomic-add=labs/02-atomic-add/solution.cu",
                                 "04-privatization=labs/04-privatization/solution.cu", "--dataset",
                                 "constant", "--length", "1048576", "--json"});
}

TEST_CASE("comparison: a kernel is chosen by lab, by name or by file") {
  LaunchChoice choice;
  choose_kernel(choice, "04", labs());
  CHECK(choice.lab == "04-privatization");
  CHECK(choice.kernel == "labs/04-privatization/solution.cu");
  choose_kernel(choice, "04=wrong", labs());
  CHECK(choice.kernel == "labs/04-privatization/attempts/wrong/kernel.cu");
  choose_kernel(choice, "04=mine.cu", labs());
  CHECK(choice.kernel == "mine.cu");
  choose_kernel(choice, "77", labs());
  CHECK(choice.lab == "77");
  CHECK(choice.kernel == "solution");  // `compare` reports the unknown lab
}

TEST_CASE("comparison: without solutions it starts with the student's own kernels") {
  Catalogue catalogue = labs();
  for (Lab& lab : catalogue.labs)
    std::erase_if(lab.kernels, [](const KernelFile& kernel) { return kernel.role == "solution"; });
  CHECK(usual_comparison(catalogue).b.kernel == "work/04-privatization.cu");
}

TEST_CASE("comparison: the sides differ either in the kernel or in the data") {
  CompareChoice choice = usual_comparison(labs());
  choice.b.dataset = "english";
  choice.settle(false);
  CHECK(choice.a.dataset == "english");
  choose_kernel(choice.b, "02=solution", labs());
  choice.settle(false);
  choose_datasets(choice, "hot:0,hot:100");
  choice.settle(true);
  CHECK(choice.b.dataset == "hot:100");
  CHECK(contains(compare_command(choice), "hot:0,hot:100"));
  choose_kernel(choice.a, "04=solution", labs());
  choice.settle(true);
  CHECK(choice.b.dataset == "hot:0");
}

TEST_CASE("comparison: a file determines its own length") {
  CompareChoice choice = usual_comparison(labs());
  choose_datasets(choice, "/etc/services");
  CHECK_FALSE(contains(compare_command(choice), "--length"));
}

TEST_CASE("comparison: reads the command's output") {
  const auto view = comparison_in(sample());
  REQUIRE(view);
  CHECK(view->headline() == "B is 108x faster");
  CHECK(view->problems().empty());
  REQUIRE(view->counters.size() == 3);
  CHECK(view->lean(view->counters[0]) == 1);   // A has none
  CHECK(view->lean(view->counters[1]) == -1);  // the largest ratio
  CHECK(view->lean(view->counters[2]) == doctest::Approx(0.5));
  CHECK_FALSE(comparison_in(nlohmann::json::parse(R"({"schema": "histolab/run/1"})")));
  CHECK_FALSE(comparison_in(nlohmann::json{}));
}

TEST_CASE("comparison: equal or missing times are never called faster") {
  nlohmann::json json = sample();
  json["time"]["alike"] = true;
  CHECK(comparison_in(json)->headline().find("equally fast") != std::string::npos);
  json["time"] = nullptr;
  json["time_reason"] = "no model for it";
  CHECK(comparison_in(json)->headline() == "no time: no model for it");
}

TEST_CASE("comparison: a wrong result takes precedence over times") {
  nlohmann::json json = sample();
  json["a"]["run"]["correct"] = false;
  json["a"]["run"]["counters"] = {{"histolab__updates_lost.sum", 12345}};
  const auto view = comparison_in(json);
  REQUIRE(view);
  CHECK(view->headline().find("A is wrong") != std::string::npos);
  CHECK(view->headline().find("faster") == std::string::npos);
  CHECK(view->problems() ==
        std::vector<std::string>{"A: the histogram is wrong: 12 345 updates lost"});
}

TEST_CASE("comparison: ratios of any size") {
  CHECK(ratio_text(11.34) == "11.3x");
  CHECK(ratio_text(1024) == "1 024x");
  CHECK(ratio_text({}) == "-");
  CHECK(ratio_text(1e300).size() < 30);
  ComparisonView view;
  view.counters = {{"n", "t", "u", 1, 2, -5.0}};
  CHECK(view.lean(view.counters[0]) == 1);
}

}  // namespace
}  // namespace histolab::viewer
