#include "viewer/model/source_view.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace histolab::viewer {
namespace {

constexpr const char* source =
    "// a kernel\n__global__ void k() {\n\tatomicAdd(&p[i], 1u);\r\n  __syncthreads();\n}";

RunSummary launch() {
  return run_summary(nlohmann::json::parse(R"({"ending":"completed",
    "counters":{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum":100,"smsp__inst_executed_op_shared_atom.sum":300},
    "lines":[{"line":2,"counters":{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum":100,"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum":125,"histolab__active_lanes_per_request.ratio":32}},
             {"line":3,"counters":{"smsp__inst_executed_op_shared_atom.sum":300,"histolab__active_lanes_per_request.ratio":24.774,"histolab__shared_atomic_same_address_degree.max":12,
                                   "histolab__shared_atomic_same_address_degree.avg":6.1626,"histolab__shared_atomic_updates.sum":811801}},
             {"line":4,"counters":{"histolab__barriers.sum":32768}}, {"line":99,"counters":{"histolab__barriers.sum":1}}, {"line":-1,"counters":{}}],
    "findings":[{"kind":"data_race","severity":"error","variable":"p","line":3,"other_line":2,"count":23393,"message":"two threads"},
                {"kind":"unsupported","severity":"note","variable":null,"line":null,"message":"of no line"},
                {"kind":"uninitialized_read","severity":"note","variable":"p","line":3,"count":1,"message":"not set"}]})"));
}

TEST_CASE("source view: splits lines, expands tabs, drops carriage returns, finds tokens") {
  SourceView view;
  view.set_text(source);
  REQUIRE(view.lines().size() == 5);
  CHECK(view.lines()[2].text == "    atomicAdd(&p[i], 1u);");
  CHECK(view.lines()[0].tokens == std::vector<Token>{{TokenKind::comment, 0, 11}});
  CHECK(view.lines()[2].tokens.front() == Token{TokenKind::built_in, 4, 13});
  view.set_text("");
  CHECK(view.lines().empty());
  view.set_text("a\n\nb\n");
  CHECK(view.lines().size() == 3);
}

TEST_CASE("source view: the margin shows the counters of `histolab explain`") {
  SourceView view;
  view.set_text(source);
  const RunSummary run = launch();
  view.annotate(&run, nullptr);
  using Cells = std::array<std::string, margin_columns>;
  CHECK(view.lines()[0].cells == Cells{});
  CHECK(view.lines()[1].cells == Cells{"100", "1.25", "", "32", ""});
  CHECK(view.lines()[2].cells == Cells{"300", "", "0", "24.8", "12"});
  CHECK(view.lines()[3].cells == Cells{});
  CHECK(view.lines()[3].barriers == "33k");
  CHECK(view.lines()[1].share == doctest::Approx(1.0 / 3));
  CHECK(view.lines()[2].share == 1);
  CHECK(view.has_column(4));
  view.annotate(nullptr, nullptr);
  CHECK(view.lines()[1].cells == Cells{});
  CHECK_FALSE(view.has_column(4));
}

TEST_CASE(
    "source view: remarks are at their lines, errors first; a race's other line refers to it") {
  SourceView view;
  view.set_text(source);
  const RunSummary run = launch();
  view.annotate(&run, nullptr);
  CHECK(view.lines()[2].remarks ==
        std::vector<Remark>{{true, "data_race: two threads (seen 23 393 times)"},
                            {false, "uninitialized_read: not set"}});
  CHECK(view.lines()[2].wrong());
  CHECK(view.lines()[1].remarks == std::vector<Remark>{{true, "data_race: see line 3"}});
  CHECK(view.elsewhere() == std::vector<Remark>{{false, "unsupported: of no line"}});
  CHECK_FALSE(view.lines()[0].wrong());
}

TEST_CASE("source view: a finding of both grader and launch appears once, in the grader's words") {
  SourceView view;
  view.set_text(source);
  const RunSummary run = launch();
  Verdict verdict;
  verdict.findings = {run.findings[0]};
  verdict.findings[0].message = "other threads, the same race";
  view.annotate(&run, &verdict);
  CHECK(view.lines()[2].remarks[0] ==
        Remark{true, "data_race: other threads, the same race (seen 23 393 times)"});
  CHECK(view.lines()[2].remarks.size() == 2);
}

TEST_CASE("source view: equal compiler errors appear once; a failed check marks an unmarked line") {
  SourceView view;
  view.set_text(source);
  RunSummary run;
  run.diagnostics = {{"error", "'i' was not declared", 3}};
  Verdict verdict;
  verdict.diagnostics = run.diagnostics;
  verdict.checks = {{"c", "no race", "failed", {.what = "seen"}, "", 0, 2, 3}};
  view.annotate(&run, &verdict);
  CHECK(view.lines()[2].remarks == std::vector<Remark>{{true, "'i' was not declared"}});
  verdict.checks[0].line = 2;
  view.annotate(nullptr, &verdict);
  CHECK(view.lines()[1].remarks == std::vector<Remark>{{true, "no race: seen"}});
}

TEST_CASE("source view: hostile numbers and too many remarks are limited") {
  SourceView view;
  view.set_text("x\n");
  RunSummary run;
  run.lines = {{1,
                {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1e300},
                 {"smsp__inst_executed_op_shared_ld.sum", 1e-300},
                 {"histolab__barriers.sum", -5},
                 {"histolab__active_lanes_per_request.ratio", 1e14},
                 {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", std::nan("")}}}};
  run.counters = run.lines[0].counters;
  for (int i = 0; i < 1000; ++i)
    run.findings.push_back(
        {"data_race", "error", "v" + std::to_string(i), "m" + std::to_string(i), 1, 0, 1e300});
  view.annotate(&run, nullptr);
  for (const std::string& cell : view.lines()[0].cells) CHECK(cell.size() <= 4);
  CHECK(view.lines()[0].barriers.empty());
  CHECK(view.lines()[0].remarks.size() == 32);
}

TEST_CASE("source view: findings of other files are all told") {
  RunSummary run = launch();
  run.findings.clear();
  for (const char* const file : {"a.h", "b.h"}) {
    Finding race{"data_race", "error", "p", "two threads", 2, 0, 1};
    race.file = file;
    run.findings.push_back(race);
  }
  const RunSummary shown = run.in_file("main.cu");
  SourceView view;
  view.set_text(source);
  view.annotate(&shown, nullptr);
  REQUIRE(view.elsewhere().size() == 2);
  CHECK(view.elsewhere()[1].text == "data_race: b.h:2: two threads");
}

TEST_CASE("source view: a counter has a name, a title and a unit") {
  const RunSummary run = launch();
  const std::vector<NamedCounter> same =
      named_counters(run.at_line(3)->counters, margin()[4].counters);
  REQUIRE(same.size() == 3);
  CHECK(same[0].name == "histolab__shared_atomic_updates.sum");
  CHECK(same[0].title == "shared atomic updates");
  CHECK(same[0].value == "811 801 updates");
  CHECK(named_counters(run.at_line(3)->counters).size() == 5);
  // Every name in the margin's table is a counter.
  Counters all;
  for (const MarginColumn& column : margin())
    for (const std::string_view name : column.counters) all[std::string{name}] = 1;
  CHECK(named_counters(all).size() == all.size());
}

}  // namespace
}  // namespace histolab::viewer
