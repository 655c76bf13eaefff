#include "viewer/model/event.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

TEST_CASE("event: a launch begins") {
  const Event event = parse_event(
      R"({"schema":"histolab/stream/1","event":"begin","run":2,"device":{"kind":"emulator","name":"histolab emulator"},"lab":"01-race","title":"The race",
          "kernel":"k.cu","source":"text","dataset":"english","length":100,"seed":7,"schedule":"lockstep","grid":4,"block":32,"exports":{"factor":8},
          "domain":"letters","bins":2,"bin_labels":["a-m","n-z"],"expected":[60,40]})");
  const auto* begin = std::get_if<Begin>(&event);
  REQUIRE(begin != nullptr);
  CHECK(begin->device_kind == "emulator");
  CHECK(begin->lab == "01-race");
  CHECK(begin->source == "text");
  CHECK(begin->length == 100);
  CHECK(begin->grid == 4);
  CHECK(begin->domain == "letters");
  CHECK(begin->exports == std::map<std::string, std::uint32_t>{{"factor", 8}});
  CHECK(begin->bin_labels == std::vector<std::string>{"a-m", "n-z"});
  CHECK(begin->expected == std::vector<std::uint64_t>{60, 40});
}

TEST_CASE("event: a launch of a program begins") {
  const Event event = parse_event(
      R"({"schema":"histolab/stream/1","event":"begin","run":3,"program":"main.cu","title":"launch 3 of add<4>","launches":["clear","add"],"launch_count":7,
          "grid":4,"block":32,"sources":[{"file":"add.h","text":"a"},{"file":"main.cu","text":"b"}]})");
  const auto* begin = std::get_if<Begin>(&event);
  REQUIRE(begin != nullptr);
  CHECK(begin->program == "main.cu");
  CHECK(begin->run == 3);
  CHECK(begin->launches.size() == 2);
  CHECK(begin->launch_count == 7);
  CHECK(begin->kernel == "add.h");  // the first of its sources
  CHECK(begin->source == "a");
  CHECK(begin->file_shown("main.cu") == "main.cu");
  CHECK(begin->file_shown("other.h") == "add.h");
  CHECK(begin->text_of("main.cu") == "b");
  CHECK(begin->text_of("other.h") == "a");
  CHECK(Begin{}.file_shown("main.cu").empty());
}

TEST_CASE("event: lines of a program's launch are shown by file") {
  const RunSummary run = std::get<Finished>(parse_event(R"({"event":"result","report":
      {"program":"main.cu","title":"launch 3 of add<4>","ending":"completed",
       "lines":[{"file":"add.h","line":2,"counters":{"a":1}},{"file":"main.cu","line":2,"counters":{"a":3}}],
       "findings":[{"kind":"data_race","message":"two","file":"add.h","line":2,"other_file":"main.cu","other_line":9}],
       "diagnostics":[{"file":"main.cu","line":4,"message":"odd"}]}})"))
                             .report;
  const RunSummary header = run.in_file("add.h"), main = run.in_file("main.cu");
  REQUIRE(header.lines.size() == 1);
  CHECK(header.at_line(2)->counters.at("a") == 1);
  CHECK(main.at_line(2)->counters.at("a") == 3);
  CHECK(header.findings[0].line == 2);
  CHECK(header.findings[0].other_line == 0);  // of another file
  CHECK(main.findings[0].line == 9);          // the place of the other access
  CHECK(main.findings[0].other_line == 0);
  CHECK(main.findings[0].message == "add.h:2: two");
  CHECK(run.in_file("other.h").findings[0].line == 0);
  CHECK(main.diagnostics[0].line == 4);
  CHECK(header.diagnostics[0].message == "main.cu:4: odd");
}

TEST_CASE("event: a launch reports progress and accesses, and ends") {
  const Event progress = parse_event(
      R"({"event":"progress","run":1,"state":"paused","steps":5,"blocks":1,"elements_read":64,"of_read":[64],"histogram":[2],"elapsed_s":0.5})");
  REQUIRE(std::holds_alternative<Progress>(progress));
  CHECK(std::get<Progress>(progress).paused);
  CHECK(std::get<Progress>(progress).of_read == std::vector<std::uint64_t>{64});
  const Event accesses = parse_event(
      R"({"event":"accesses","run":1,"rows":[{"block":0,"warp":1,"line":7,"kind":"atomic","space":"global","variable":"histo","bytes":4,"active":3,"offsets":[4,8],"sectors":1,"wavefronts":0,"same_address_degree":1},
           {"active":4294967295},{"active":4294967296},{"active":-1}]})");
  REQUIRE(std::holds_alternative<Accesses>(accesses));
  const Access& access = std::get<Accesses>(accesses).rows.at(0);
  CHECK(access.active == 3);
  CHECK(access.offset[1] == 8);
  CHECK(access.offset[31] == 0);
  CHECK(access.same_address_degree == 1);
  CHECK(std::get<Accesses>(accesses).rows.at(1).active == 0xffffffff);
  CHECK(std::get<Accesses>(accesses).rows.at(2).active == 0);
  CHECK(std::get<Accesses>(accesses).rows.at(3).active == 0);
  const Event result = parse_event(
      R"({"event":"result","run":1,"report":{"lab":"02-atomic-add","ending":"completed","correct":true,"counters":{"launch__grid_size":4},"histogram":[2],
          "modelled":{"profile":"h200","median_ms":0.5,"bound_by":"atomics","typical_error":1.15,"terms_ms":{"atomics":0.4}},"timing":null}})");
  REQUIRE(std::holds_alternative<Finished>(result));
  const RunSummary& report = std::get<Finished>(result).report;
  CHECK(report.correct);
  CHECK(report.compiled());
  CHECK(report.counter("launch__grid_size") == 4);
  CHECK(report.counter("no such counter") == 0);
  REQUIRE(report.modelled.has_value());
  CHECK(report.modelled->bound_by == "atomics");
  CHECK_FALSE(report.measured.has_value());
  CHECK(report.milliseconds() == 0.5);
  CHECK(std::holds_alternative<End>(parse_event(R"({"event":"end","run":1})")));
  CHECK(std::get<Failure>(parse_event(R"({"event":"error","message":"no"})")).message == "no");
}

TEST_CASE("event: other lines become strays, and nothing throws") {
  for (const char* line : {"", "{", "null", "[1,2]", "hello", R"({"event":"dance"})",
                           R"({"event":7})", "{\"event\":\"beg"}) {
    CAPTURE(line);
    const Event event = parse_event(line);
    REQUIRE(std::holds_alternative<Stray>(event));
  }
  const Event deep = parse_event(R"({"event":"end","run":)" + std::string(100'000, '[') +
                                 std::string(100'000, ']') + "}");
  CHECK(std::holds_alternative<Stray>(deep));
}

TEST_CASE("event: wrong types and numbers of a hostile stream are harmless") {
  const Event begin = parse_event(
      R"({"event":"begin","length":-1,"grid":1e300,"block":"many","bin_labels":[1,null],"expected":["x",-5,3.7,1e19],"exports":[1]})");
  REQUIRE(std::holds_alternative<Begin>(begin));
  CHECK(std::get<Begin>(begin).length == 0);
  CHECK(std::get<Begin>(begin).grid == 0);
  CHECK(std::get<Begin>(begin).block == 0);
  CHECK(std::get<Begin>(begin).bin_labels == std::vector<std::string>{"", ""});
  CHECK(std::get<Begin>(begin).expected.at(1) == 0);
  CHECK(std::get<Begin>(begin).expected.at(2) == 3);
  CHECK(std::holds_alternative<Finished>(parse_event(R"({"event":"result","report":[]})")));
  CHECK(std::holds_alternative<Accesses>(parse_event(
      R"({"event":"accesses","rows":[{"offsets":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34]},7]})")));
}

TEST_CASE("event: every text of a document is cleaned, except one that is compared or opened") {
  const std::string hostile = R"("\u001b[2Ja\u202eb")", clean = "?[2Ja?b";
  const Event event =
      parse_event(R"({"event":"begin","title":)" + hostile + R"(,"source":)" + hostile +
                  R"(,"bin_labels":[)" + hostile + R"(],"exports":{)" + hostile + ":1}}");
  REQUIRE(std::holds_alternative<Begin>(event));
  const Begin& begin = std::get<Begin>(event);
  CHECK(begin.title == clean);
  CHECK(begin.bin_labels == std::vector{clean});
  CHECK(begin.exports.begin()->first == clean);
  CHECK(begin.source == "\x1b[2Ja\u202eb");
  CHECK(std::get<Failure>(parse_event(R"({"event":"error","message":)" + hostile + "}")).message ==
        clean);
  const std::string invalid = "{\"event\":\"error\",\"message\":\"\xff\"}";
  CHECK(std::holds_alternative<Stray>(parse_event(invalid)));
}

TEST_CASE("event: the number of bins is limited") {
  nlohmann::json begin{{"event", "begin"}, {"run", 1}};
  begin["expected"] = std::vector<int>(200'000, 1);
  begin["bin_labels"] = std::vector<std::string>(200'000, "b");
  const auto parsed = std::get<Begin>(parse_event(begin.dump()));
  CHECK(parsed.expected.size() == 65'536);
  CHECK(parsed.bin_labels.size() == 65'536);
}

}  // namespace
}  // namespace histolab::viewer
