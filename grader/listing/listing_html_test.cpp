#include "grader/listing/listing_html.h"

#include <doctest/doctest.h>

#include <regex>

#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

// A launch whose line 3 has scattered reads and updates, and whose line 2 has a race.
ExplainedKernel sample() {
  ExplainedKernel kernel;
  kernel.source =
      "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n  "
      "__syncthreads();\n\tatomicAdd(&histo[data[i] < 'm'], 1u);\n}\n";
  RunReport& run = kernel.run;
  run.version = "0.0.0", run.device_kind = "emulator", run.device_name = "tests only",
  run.lab = "02-sample", run.kernel_path = "work/02-sample.cu", run.compiled = true;
  CaseResult& result = run.result;
  result.dataset = "mixed", result.length = 65536, result.grid = 16, result.block = 256,
  result.correct = true;
  result.lines.resize(2);
  result.lines[0].line = 2, result.lines[0].counters.barriers = 128;
  result.lines[1].line = 3;
  result.lines[1].counters.global_load = {2048, 65536, 65536, 65536};
  result.lines[1].counters.global_atomic = {2048, 4096, 262144, 65536};
  result.lines[1].counters.global_contention.updates = 65536,
  result.lines[1].counters.global_contention.requests_of_degree[15] = 2048;
  kernel.solution = result;
  kernel.solution->lines[1].counters.global_load.sectors = 2048;
  for (const reference::LineCounters& each : kernel.solution->lines)
    static_cast<reference::Traffic&>(kernel.solution->totals) += each.counters;
  for (const reference::LineCounters& each : result.lines)
    static_cast<reference::Traffic&>(result.totals) += each.counters;
  kernels::Finding race;
  race.kind = kernels::FindingKind::data_race, race.severity = kernels::Severity::error,
  race.line = 2, race.other_line = 3, race.count = 7;
  race.message = "threads 3 and 17 <both> update histo[0]";
  result.findings = {race};
  return kernel;
}

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "the page has the source with its counters, findings and remarks, and the solution's totals") {
  const std::string page = listing_html({sample()});
  CHECK(matches_golden("listing.html", page));
  CHECK(has(page, "<code>    atomicAdd(&amp;histo[data[i] &lt; &#39;m&#39;], 1u);</code>"));
  CHECK(has(page, "data_race (7 times): threads 3 and 17 &lt;both&gt; update histo[0]"));
  CHECK(has(page, "data_race: see line 2"));
  CHECK(has(page,
            "<a href=\"#k1l3\">line 3</a> the threads of a warp read far from one another: 32 "
            "sectors per load, the solution needs 1"));
  CHECK(has(page, "128 warps at barrier"));
  CHECK(has(page, "the solution</td>"));
}

TEST_CASE("the page fetches nothing and runs nothing") {
  const std::string page = listing_html({sample(), sample()});
  CHECK(has(page, "default-src 'none'"));
  CHECK_FALSE(std::regex_search(
      page, std::regex{"<script|<link|<img|<iframe|@import|url\\(|https?:|\\bon\\w+="}));
  CHECK(has(page, "id=\"k2l3\""));  // ids are unique
}

TEST_CASE("a hostile kernel is text on the page") {
  ExplainedKernel kernel = sample();
  const std::string attack =
      "</code></td></table><script>alert(1)</script><img src=x onerror=alert(2)> \" ' \x1B[31m "
      "\xFF /*\xE2\x80\xAE*/";
  kernel.source = attack + "\n" + attack + "\n" + attack;
  kernel.run.kernel_path = kernel.run.lab = kernel.run.result.dataset = attack;
  kernel.run.result.findings[0].message = attack;
  for (const bool compiled : {true, false}) {
    kernel.run.compiled = compiled;
    kernel.run.diagnostics = {{kernels::Severity::error, 2, 1, attack}};
    const std::string page = listing_html({kernel});
    CHECK_FALSE(has(page, "<script"));
    CHECK_FALSE(has(page, "<img"));
    CHECK_FALSE(has(page, "\x1B"));
    CHECK_FALSE(has(page, "\xFF"));
    CHECK_FALSE(has(page, "\xE2\x80\xAE"));
    CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  }
}

TEST_CASE("pages of kernels that do not compile, that did not end, and without a solution") {
  ExplainedKernel kernel = sample();
  kernel.run.compiled = false;
  kernel.run.diagnostics = {{kernels::Severity::error, 2, 1, "expected ';'"}};
  CHECK(has(listing_html({kernel}), "<li>line 2: expected &#39;;&#39;</li>"));
  kernel.run.compiled = true, kernel.run.result.ending = kernels::Ending::timed_out,
  kernel.run.result.ending_detail = "10 s passed";
  CHECK(has(listing_html({kernel}), "timed_out: 10 s passed"));
  CHECK_FALSE(has(listing_html({kernel}), "the solution"));
  kernel = sample();
  kernel.solution.reset();
  CHECK_FALSE(has(listing_html({kernel}), "the solution"));
}
