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

TEST_CASE("a text in lines: blanks for tabs, carriage returns gone, tokens") {
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

TEST_CASE("the margin has what `histolab explain` has") {
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
    "remarks stand at their lines, errors first; the other line of a race points to the first") {
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

TEST_CASE("what the grader and the launch both found is told once, as the grader has it") {
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

TEST_CASE(
    "compiler errors of both are one; a check that failed marks its line where nothing else does") {
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

TEST_CASE("hostile numbers and floods are held off") {
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

TEST_CASE("a counter's name, what it is, and its unit") {
  const RunSummary run = launch();
  const std::vector<NamedCounter> same =
      named_counters(run.at_line(3)->counters, margin()[4].counters);
  REQUIRE(same.size() == 3);
  CHECK(same[0].name == "histolab__shared_atomic_updates.sum");
  CHECK(same[0].title == "shared atomic updates");
  CHECK(same[0].value == "811 801 updates");
  CHECK(named_counters(run.at_line(3)->counters).size() == 5);
  // Every name that the margin is made of is a counter.
  Counters all;
  for (const MarginColumn& column : margin())
    for (const std::string_view name : column.counters) all[std::string{name}] = 1;
  CHECK(named_counters(all).size() == all.size());
}

}  // namespace
}  // namespace histolab::viewer
