// docs/ has the words that the program's tables have: the enums of the schemas, the tables of
// kinds. The schema of reports has each key of their descriptions.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "grader/files/json_reader.h"
#include "grader/lab/case_counters.h"
#include "grader/lab/lab.h"
#include "grader/report/report_fields.h"

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

// Writes each key of a description, also one that is left out for an unset value. A list has one
// item.
class EachKey : public FieldWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value, auto...) {
    json[key] = full(value);
  }
  void newer(const char* key, const auto& value, auto...) { (*this)(key, value); }
  void or_null(const char* key, const auto& value, auto...) { (*this)(key, value); }
  void if_set(const char* key, const auto& value, auto...) { (*this)(key, value); }
  void group(const char* key, auto&& describe) {
    EachKey inside;
    describe(inside);
    json[key] = std::move(inside.json);
  }
  void group_or_null(const char* key, bool, auto&& describe) { group(key, describe); }

  template <class T>
  static OrderedJson full(const T& value) {
    if constexpr (requires { value.has_value(); }) {
      return full(typename T::value_type{});
    } else if constexpr (requires(EachKey & f) { fields(f, value); }) {
      EachKey inside;
      fields(inside, value);
      return std::move(inside.json);
    } else if constexpr (requires(EachKey & f) { fields(f, value.front()); }) {
      return OrderedJson::array({full(typename T::value_type{})});
    } else {
      return written(value);
    }
  }
};

// Checks that the schema has each key of the value. `at` is the value's node of the schema.
void check_keys(const Json& schema, const Json& at, const OrderedJson& value,
                const std::string& pointer) {
  if (at.contains("$ref")) {
    const std::string path = at["$ref"].get<std::string>().substr(1);
    return check_keys(schema, schema.at(Json::json_pointer{path}), value, pointer);
  }
  if (at.contains("anyOf")) return check_keys(schema, at["anyOf"][1], value, pointer);
  if (value.is_array() && at.contains("items"))
    for (const OrderedJson& item : value) check_keys(schema, at["items"], item, pointer + "/*");
  if (value.is_object() && at.contains("properties"))
    for (const auto& [key, item] : value.items()) {
      CHECK_MESSAGE(at["properties"].contains(key), pointer, "/", key);
      if (at["properties"].contains(key))
        check_keys(schema, at["properties"][key], item, pointer + "/" + key);
    }
}

TEST_CASE("the schema of reports has each key of a report's descriptions") {
  const Json schema = Json::parse(page("report.schema.json"));
  const OrderedJson report = EachKey::full(Report{});
  check_keys(schema, schema, report, "");
  // Unset values are there too.
  CHECK(report["labs"][0]["checks"][0]["cause"]["other_thread"].contains("block"));
  CHECK(report["labs"][0]["cases"][0]["timing"].contains("clock"));
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
