#include "grader/batch/pack.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "grader/batch/intake.h"
#include "grader/batch/testing/trees.h"
#include "grader/files/sha256.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

std::string list_of(const Files& files) {
  PackList list{"0.1.0", {}};
  for (const auto& [name, text] : files) list.files.push_back({name, grader::sha256(text)});
  return to_json(list);
}

// The files of a pack in a folder, with its list.
Files pack(const std::string& folder, const Files& files) {
  Files all = {{folder + pack_list_name, list_of(files)}};
  for (const auto& [name, text] : files) all.emplace_back(folder + name, text);
  return all;
}

Files together(Files files, const Files& more) {
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

HandIn only(const Files& files) {
  Result<Intake> intake = Intake::of(tree_of(files), {.labs = {"01-race", "02-atomic-add"}});
  REQUIRE_MESSAGE(intake.ok(), intake.error().message);
  REQUIRE(intake->size() == 1);
  return intake->at(0);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a list of too many files is written whole, and its reader refuses it") {
  Files files;
  for (int i = 0; i < 201; ++i) files.emplace_back("01-race.cu", std::to_string(i));
  const std::string text = list_of(files);
  CHECK(text.find(grader::sha256("200")) != std::string::npos);
  const Result<PackList> read = read_pack_list("pack.json", text);
  REQUIRE_FALSE(read);
  CHECK(contains(read.error().message, "expected at most 200"));
}

TEST_CASE("a pack has precedence over loose files with any name in any folder") {
  const Files packed = {{"01-race.cu", "packed"}, {"01-race.quiz.json", "{}"}};
  for (const char* loose : {"ada/01-race.cu", "ada/Race.cu", "ada/lab1.cu", "ada/z/01-race.cu",
                            "ada/01-race/stub.cu", "ada/01-race (3).cu"}) {
    CAPTURE(loose);
    const HandIn ada = only(together(pack("ada/histolab-handin.zip/", packed),
                                     {{loose, "loose"}, {"ada/02-atomic-add.cu", "second"}}));
    CHECK(ada.works.at("01-race").kernel == "packed");
    CHECK(ada.works.at("01-race").sheet == "{}");
    CHECK(ada.works.at("02-atomic-add").kernel == "second");
    CHECK(contains(ada.problem,
                   std::string{loose} + " was left out: histolab-handin.zip/01-race.cu counts"));
  }
  const HandIn same =
      only(together(pack("ada/histolab-handin.zip/", packed), {{"ada/01-race.cu", "packed"}}));
  CHECK(same.problem.empty());
}

TEST_CASE("packs are found by their list, even if renamed or unpacked") {
  for (const char* folder :
       {"ada/histolab-handin.zip/", "ada/homework (2).zip/", "ada/histolab-handin/", "ada/",
        "ada_histolab-handin.zip/", "ada_7_100_histolab-handin.zip/",
        "Ada Lovelace_17_assignsubmission_file_histolab-handin.zip/"}) {
    CAPTURE(folder);
    const HandIn ada = only(pack(folder, {{"01-race.cu", "packed"}}));
    CHECK(ada.works.at("01-race").kernel == "packed");
    CHECK(ada.problem.empty());
    CHECK((ada.student.name == "ada" || ada.student.name == "Ada Lovelace"));
  }
}

TEST_CASE("a pack that does not agree with its list is graded, with a note") {
  Files changed = pack("ada/p.zip/", {{"01-race.cu", "packed"}, {"02-atomic-add.cu", "two"}});
  changed[1].second = "edited";
  changed.pop_back();
  const HandIn ada = only(changed);
  CHECK(ada.works.at("01-race").kernel == "edited");
  CHECK_FALSE(ada.works.contains("02-atomic-add"));
  CHECK(contains(ada.problem, "p.zip/01-race.cu was changed after `histolab pack`"));
  CHECK(contains(ada.problem, "p.zip/02-atomic-add.cu is in the pack's list, but missing"));
}

TEST_CASE("without a readable list the files are loose files, not a pack") {
  for (const std::string& list :
       {std::string{"{"},
        std::string{R"({"schema": "histolab/pack/2", "version": "1", "files": []})"},
        std::string{R"({"schema": "histolab/pack/1", "version": "1", )"
                    R"("files": [{"name": "../x.cu", "sha256": ""}]})"},
        std::string{R"({"schema": "histolab/pack/1", "version": "1", "files": 7})"},
        std::string(1000, '[')}) {
    CAPTURE(list);
    const HandIn ada = only({{"ada/p.zip/histolab-pack.json", list},
                             {"ada/p.zip/01-race.cu", "packed"},
                             {"ada/01-race.cu", "loose"}});
    CHECK(ada.works.at("01-race").problem ==
          "ada/01-race.cu and ada/p.zip/01-race.cu differ; which one counts?");
    const HandIn alone =
        only({{"ada/p.zip/histolab-pack.json", list}, {"ada/p.zip/01-race.cu", "packed"}});
    CHECK(alone.works.at("01-race").kernel == "packed");
  }
}

TEST_CASE("of several packs the last one counts") {
  const Files twice = together(pack("ada/histolab-handin.zip/", {{"01-race.cu", "first"}}),
                               pack("ada/histolab-handin (1).zip/", {{"01-race.cu", "second"}}));
  Result<Intake> intake = Intake::of(tree_of(together(twice, {{"bob/01-race.cu", "his"}})),
                                     {.labs = {"01-race", "02-atomic-add"}});
  REQUIRE_MESSAGE(intake.ok(), intake.error().message);
  const HandIn again = intake->at(0);
  CHECK(again.works.at("01-race").kernel == "second");
  CHECK(contains(again.problem, "2 packs were handed in; histolab-handin (1).zip counts"));
  const HandIn canvas =
      only(together(pack("ada_7_200_histolab-handin.zip/", {{"01-race.cu", "later"}}),
                    pack("ada_7_100_histolab-handin.zip/", {{"01-race.cu", "earlier"}})));
  CHECK(canvas.works.at("01-race").kernel == "later");
}
