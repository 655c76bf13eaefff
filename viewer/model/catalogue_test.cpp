#include "viewer/model/catalogue.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

const nlohmann::json list = nlohmann::json::parse(R"({"labs":[
  {"lab":"01-race","title":"The race","summary":"s","strategy":"race","bin_labels":["a-d"],
   "kernels":[{"role":"stub","name":"stub","path":"labs/01-race/stub.cu"},{"role":"solution","name":"solution","path":"labs/01-race/solution.cu"}]},
  {"lab":"10-many-bins","title":"t","kernels":[{"role":"work","name":"10","path":"work/10-many-bins.cu"},{"role":"solution","name":"solution","path":"x.cu"}]},
  {"title":"no name"}, 7]})");

TEST_CASE("catalogue: labs are found by name, number and unique prefix") {
  const Catalogue catalogue = catalogue_in(list);
  REQUIRE(catalogue.labs.size() == 2);
  for (const char* word : {"01-race", "01", "1", "race", "ra"}) {
    CAPTURE(word);
    REQUIRE(catalogue.find(word) != nullptr);
    CHECK(catalogue.find(word)->name == "01-race");
    CHECK(catalogue.find(word)->strategy == "race");
  }
  CHECK(catalogue.find("10")->name == "10-many-bins");
  for (const char* word : {"", "0x", "02", "ace"}) CHECK(catalogue.find(word) == nullptr);
}

TEST_CASE("catalogue: a complete name without its number takes precedence over a prefix") {
  const Catalogue catalogue =
      catalogue_in({{"labs", {{{"lab", "02-race-again"}}, {{"lab", "03-race"}}}}});
  REQUIRE(catalogue.find("race") != nullptr);
  CHECK(catalogue.find("race")->name == "03-race");
  CHECK(catalogue.find("rac") == nullptr);
}

TEST_CASE("catalogue: the student's own kernel takes precedence over the solution") {
  const Catalogue catalogue = catalogue_in(list);
  CHECK(catalogue.labs[0].preferred()->path == "labs/01-race/solution.cu");
  CHECK(catalogue.labs[1].preferred()->path == "work/10-many-bins.cu");
  CHECK(catalogue.labs[1].solution()->path == "x.cu");
}

TEST_CASE("catalogue: invalid JSON gives no labs") {
  CHECK(catalogue_in(nullptr).labs.empty());
  CHECK(catalogue_in({{"labs", "none"}}).labs.empty());
  CHECK(Lab{}.preferred() == nullptr);
}

}  // namespace
}  // namespace histolab::viewer
