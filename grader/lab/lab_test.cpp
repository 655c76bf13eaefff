#include "grader/lab/lab.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/lab/catalogue.h"
#include "grader/testing/sample.h"

using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

// Returns load_lab's message about the sample with one change, without the folder's name.
std::string complaint(const std::string& from, const std::string& to) {
  const TemporaryFolder labs;
  REQUIRE(sample_lab_json().find(from) != std::string::npos);
  put(labs.at("02-sample/lab.json"), replaced(sample_lab_json(), from, to));
  const auto lab = load_lab(labs.at("02-sample"));
  return lab.ok() ? "it loaded" : replaced(lab.error().message, labs.path() + "/", "");
}

}  // namespace

TEST_CASE("the sample lab loads") {
  const LabSpec lab = sample_lab();
  CHECK(lab.number == 2);
  CHECK(lab.name == "02-sample");
  CHECK(lab.cases.size() == 3);
  CHECK(lab.cases[2].launches == 2);
  CHECK(lab.kernels.front().launch.dynamic_shared_bytes == 28);
  CHECK(lab.checks[0].cases == std::vector<std::size_t>{0, 1, 2});
  // Empty data are not used for counters.
  CHECK(lab.checks[2].cases == std::vector<std::size_t>{1, 2});
  CHECK(Limit{1, 2, 3, 4}.at(10, 5, 32) == doctest::Approx(1 + 20 + 480 + 20));
}

TEST_CASE("the default of an export must be a multiple of its `multiple_of`") {
  CHECK(complaint("\"max\": 256}", "\"max\": 256, \"multiple_of\": 4}") == "it loaded");
  CHECK(complaint("\"max\": 256}", "\"max\": 256, \"multiple_of\": 3}")
            .ends_with("expected a multiple of 3, not 8"));
}

TEST_CASE("invalid JSON is reported with file, line and column") {
  CHECK(complaint("\"bins\": 7, ", "\"bins\": 7; ").substr(0, 42) ==
        ("02-sample/lab.json:15:45: not valid JSON: "));
  CHECK(complaint("\"max_score\": 10,", "\"max_score\": 10, \"max_score\": 10,") ==
        "02-sample/lab.json: the key \"max_score\" occurs twice in one object");
  CHECK(complaint("\"max_score\": 10,", "\"max_score\": " + std::string(100'000, '[') +
                                            std::string(100'000, ']') + ",") ==
        "02-sample/lab.json: lists and objects are nested more than 100 deep");
}

TEST_CASE("an invalid lab is reported with its JSON pointer") {
  const auto file = [](const std::string& text) { return "02-sample/lab.json: " + text; };
  CHECK(complaint("\"max_score\": 10", "\"max_score\": 11") ==
        file("/max_score: is 11, but the points of the checks add up to 10"));
  CHECK(complaint("\"points\": 5", "\"points\": \"5\"") ==
        file("/checks/0/points: expected a whole number from 1 to 1000, found \"5\""));
  CHECK(
      complaint("\"points\": 5", "\"points\": 18446744073709551615") ==
      file("/checks/0/points: expected a whole number from 1 to 1000, found 18446744073709551615"));
  CHECK(complaint("\"hint\": \"Is", "\"hnit\": \"Is") ==
        file("/checks/0/hnit: is not a key of this object; did you mean hint?"));
  CHECK(complaint("\"title\": \"A sample\",", "") == file("/title: is missing; expected a string"));
  CHECK(complaint("uniform-letters", "uniform-leters") ==
        file("/cases/1/dataset: unknown word \"uniform-leters\"; did you mean uniform-letters?"));
  CHECK(complaint("uniform-letters", "hot:99.9") == "it loaded");
  CHECK(complaint("uniform-letters", "hot:all")
            .starts_with(file("/cases/1/dataset: \"hot:all\" is no dataset: write a percentage")));
  CHECK(complaint("sectors_per_request", "sector_per_request")
            .find("/checks/2/counter: unknown word") != std::string::npos);
  CHECK(
      complaint("\"id\": \"twice-32\"", "\"id\": \"twice-32\", \"block_order\": \"interleaved\"") ==
      file("/cases/2/block_order: \"interleaved\" needs \"schedule\": \"adversarial\""));
  CHECK(complaint("\"id\": \"twice-32\"", "\"id\": \"empty\"") ==
        file("/cases/2/id: two cases are called \"empty\""));
  CHECK(complaint("\"id\": \"no_findings\"", "\"id\": \"matches_reference\"") ==
        file("/checks/1/id: two checks are called \"matches_reference\""));
  CHECK(complaint("\"points\": 3", "\"points\": 3, \"cases\": [\"none\"]")
            .starts_with(file("/checks/1/cases/0: no case is called \"none\"")));
  CHECK(complaint("\"points\": 3", "\"points\": 3, \"except\": [\"data_rage\"]") ==
        file("/checks/1/except/0: unknown word \"data_rage\"; did you mean data_race?"));
  CHECK(complaint("\"min_block\": 32", "\"min_block\": 512") ==
        file("/checks/2/cases: this check has no case left to judge"));
  CHECK(complaint("\"kind\": \"no_findings\"", "\"kind\": \"no_finding\"") ==
        file("/checks/1/kind: unknown word \"no_finding\"; did you mean no_findings?"));
  CHECK(complaint("\"domain\": \"letters\"", "\"domain\": \"leters\"")
            .starts_with(file("/binning/domain: unknown word \"leters\"; did you mean letters?")));
  CHECK(complaint("\"block\": 32, ", "\"block\": 32, \"schedule\": \"lockstop\", ") ==
        file("/cases/2/schedule: unknown word \"lockstop\"; did you mean lockstep?"));
  CHECK(complaint("\"block\": 32, ", "\"block\": 32, \"grid\": 4, ") ==
        file("/cases/2/grid: is only for labs with launch.grid \"fixed\""));
  CHECK(complaint("\"factor\": \"coarsening_factor\"", "\"factor\": \"coarse\"") ==
        file("/launch/factor: no export is called \"coarse\""));
  CHECK(complaint("\"check\": \"matches_reference\"", "\"check\": \"none\"") ==
        file("/stub/check: no check is called \"none\""));
  CHECK(complaint("histolab/lab/1", "histolab/lab/2") ==
        file("/schema: expected \"histolab/lab/1\", found \"histolab/lab/2\""));
  CHECK(complaint("\"limit\": {\"constant\": 2}", "\"limit\": 2") ==
        file("/checks/2/limit: expected an object, found 2"));
  CHECK(complaint("\"bins\": 7, \"width\": 4", "\"bins\": 0, \"width\": true") ==
        file("/binning/bins: expected a whole number from 1 to 1048576, found 0; "
             "/binning/width: expected a whole number from 1 to 65536, found true"));
}

TEST_CASE("values for all kernels are read even if no kernel needs them") {
  const std::string alone = "\"binning\": {\"domain\": \"letters\", \"bins\": 7, \"width\": 4}";
  const std::string of_its_own = alone + ", \"declaration\":";
  const TemporaryFolder labs;
  const auto with_both = [&](const std::string& for_all) {
    put(labs.at("02-sample/lab.json"),
        replaced(replaced(sample_lab_json(), alone, for_all), "\"declaration\":", of_its_own));
    const auto lab = load_lab(labs.at("02-sample"));
    return lab.ok() ? "it loaded" : replaced(lab.error().message, labs.path() + "/", "");
  };
  CHECK(with_both(alone) == "it loaded");
  CHECK(with_both("\"binning\": 5")
            .starts_with("02-sample/lab.json: /binning: expected an object, found 5"));
}

TEST_CASE("a case may choose its kernel, its bins and the offset of its data") {
  const auto file = [](const std::string& text) { return "02-sample/lab.json: " + text; };
  const auto in_case = [](const std::string& more) {
    return complaint("\"block\": 32, ", "\"block\": 32, " + more + ", ");
  };
  CHECK(in_case("\"offset\": 255") == "it loaded");
  CHECK(in_case("\"offset\": 256") ==
        file("/cases/2/offset: expected a whole number from 0 to 255, found 256"));
  CHECK(in_case("\"kernel\": \"histogram\"") == "it loaded");
  CHECK(in_case("\"kernel\": \"other\"") == file("/cases/2/kernel: no kernel is called \"other\""));
  CHECK(in_case("\"bins\": 9") ==
        file("/cases/2/bins: the kernel histogram has no argument for it"));
  const auto with_bins = [](const std::string& text) {
    return complaint("{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 4}", text);
  };
  CHECK(with_bins("{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 4}, {\"name\": "
                  "\"n\", \"kind\": \"bins\"}") == "it loaded");
  CHECK(with_bins("{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 8}") ==
        file("/kernel/arguments/2/element_bytes: an element of this type has 4 bytes"));
  CHECK(
      with_bins(
          "{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 8, \"type\": \"u64\"}") ==
      "it loaded");
  CHECK(with_bins("{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 4, \"copies\": "
                  "\"many\"}") == file("/kernel/arguments: no export is called \"many\""));
  CHECK(with_bins("{\"name\": \"histo\", \"kind\": \"output\", \"element_bytes\": 4, \"copies\": "
                  "\"coarsening_factor\"}") == "it loaded");
  CHECK(complaint("\"domain\": \"letters\"", "\"domain\": \"shorts\"")
            .starts_with(file("/kernel/arguments: samples of this binning have 2 bytes")));
  CHECK(complaint("\"kind\": \"no_findings\"", "\"kind\": \"share_of_read_limit\", \"percent\": 50")
            .starts_with(file("/checks/1/kind: there is no ")));
}

TEST_CASE("a lab of programs has only what a program can have") {
  const std::string json =
      *read_text_file(HISTOLAB_SOURCE_DIR "/grader/testdata/documents/lab-program.json", "lab");
  const auto complaint_about = [&](const std::string& from, const std::string& to) {
    const TemporaryFolder labs;
    REQUIRE(json.find(from) != std::string::npos);
    put(labs.at("14-program/lab.json"), replaced(json, from, to));
    const auto lab = load_lab(labs.at("14-program"));
    if (lab) CHECK(lab->program);
    return lab.ok() ? "it loaded" : replaced(lab.error().message, labs.path() + "/", "");
  };
  const std::string file = "14-program/lab.json: /program: ";
  CHECK(complaint_about("31", "33") == "it loaded");
  CHECK(complaint_about("\"letters\"", "\"bytes\"") ==
        file + "needs one kernel that counts letters, launched per element");
  CHECK(complaint_about("\"block\": 32", "\"block\": 32, \"offset\": 1") ==
        file + "a case's offset has no effect on a program");
  CHECK(complaint_about("\"counter_at_most\"", "\"registers_only\"") ==
        file + "registers_only and one_by_one judge kernels, not programs");
  CHECK(complaint_about("\"launch\": {",
                        "\"exports\": [{\"name\": \"n\", \"default\": 1, \"min\": 1, "
                        "\"max\": 2}], \"launch\": {") ==
        file + "a program has neither exports nor timed cases");
}

TEST_CASE("labs are sorted, found by many names, and have different numbers") {
  const TemporaryFolder labs;
  for (const char* name : {"10-many", "02-atomic-add", "01-race"})
    put(labs.at(std::string{name} + "/lab.json"), sample_lab_json());
  put(labs.at("README.md"), "not a lab");
  const auto all = load_catalogue(labs.path());
  REQUIRE(all.ok());
  REQUIRE(all->size() == 3);
  CHECK(all->front().name == "01-race");
  CHECK(all->back().name == "10-many");
  for (const char* word : {"02-atomic-add", "02", "2", "002", "atomic-add", "atomic", "02-at"})
    CHECK((*find_lab(*all, word))->name == "02-atomic-add");
  CHECK(find_lab(*all, "0").error().message == "\"0\" fits 2 labs: 01-race, 02-atomic-add");
  CHECK(find_lab(*all, "raec").error().message == "there is no lab \"raec\"; did you mean race?");
  CHECK(find_lab(*all, "77").error().message ==
        "there is no lab \"77\"; the labs are 01-race, 02-atomic-add, 10-many");
  CHECK_FALSE(find_lab(*all, "").ok());

  put(labs.at("02-twin/lab.json"), sample_lab_json());
  CHECK(load_catalogue(labs.path()).error().message == labs.at("02-atomic-add") + " and " +
                                                           labs.at("02-twin") +
                                                           " have the same number; rename one");
  std::filesystem::rename(labs.at("02-twin"), labs.at("03-twin-2"));
  CHECK(load_catalogue(labs.path()).error().message ==
        labs.at("03-twin-2") +
            ": a lab's folder must be named NN-slug, for example 02-atomic-add, and must not end "
            "in a number");
  CHECK_FALSE(load_catalogue(labs.at("none")).ok());
}
