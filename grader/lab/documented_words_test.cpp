// docs/ has the words that the program's tables have: the enums of the schemas, the tables of
// kinds.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/files/json_reader.h"
#include "grader/lab/case_counters.h"
#include "grader/lab/lab.h"

namespace histolab::grader {
namespace {

std::string page(const std::string& name) {
  std::ifstream file(HISTOLAB_SOURCE_DIR "/docs/" + name);
  REQUIRE_MESSAGE(file, name);
  return (std::ostringstream{} << file.rdbuf()).str();
}

template <class All>
std::vector<std::string> names_of(const All& all) {
  std::vector<std::string> names;
  for (const auto each : all) names.emplace_back(name(each));
  return names;
}

TEST_CASE("the schemas have all finding kinds, check kinds and counters, in the tables' order") {
  struct Row {
    std::string schema, pointer;
    std::vector<std::string> words;
  };
  const std::vector<std::string> findings = names_of(kernels::all_finding_kinds);
  for (const Row& row : {Row{"lab", "/$defs/finding_kind/enum", findings},
                         Row{"report", "/$defs/finding/properties/kind/enum", findings},
                         Row{"run", "/$defs/finding/properties/kind/enum", findings},
                         Row{"lab", "/$defs/check/properties/kind/enum", names_of(all_check_kinds)},
                         Row{"lab", "/$defs/counter/enum", counter_names()}}) {
    CAPTURE(row.schema);
    CAPTURE(row.pointer);
    const Json schema = Json::parse(page(row.schema + ".schema.json"));
    CHECK(schema.at(Json::json_pointer{row.pointer}).get<std::vector<std::string>>() == row.words);
  }
}

TEST_CASE("docs/labs.md has a row for each check kind, docs/emulator.md explains each finding") {
  for (const std::string& word : names_of(all_check_kinds))
    CHECK_MESSAGE(page("labs.md").find("\n| `" + word + "` | ") != std::string::npos, word);
  for (const std::string& word : names_of(kernels::all_finding_kinds))
    CHECK_MESSAGE(page("emulator.md").find(word) != std::string::npos, word);
}

}  // namespace
}  // namespace histolab::grader
