#include "grader/listing/listing.h"

#include <doctest/doctest.h>

#include <sstream>

#include "grader/testing/files.h"
#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

const std::string source =
    "// A kernel with something of everything, and this line of a comment that is longer than a "
    "row of the listing\n"
    "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {\n"
    "\t__shared__ unsigned int s[7];\n"
    "  if (threadIdx.x < 7) s[threadIdx.x] = 0;\n"
    "  __syncthreads();\n"
    "          if (data[i] >= 'a') atomicAdd(&s[a_very_long_name_of_a_function_of_mine(data[i])], "
    "1u);\n"
    "\n"
    "  s[0] = 1; __syncthreads();\n"
    "  histo[0]++;  // \xC3\xA9\n"
    "}";

kernels::Finding finding(kernels::FindingKind kind, kernels::Severity severity, int line,
                         int other_line, std::uint64_t count, const std::string& message) {
  kernels::Finding made;
  made.kind = kind, made.severity = severity, made.line = line, made.other_line = other_line,
  made.count = count, made.message = message;
  return made;
}

LabSpec one_kernel() {
  LabSpec lab;
  lab.kernels.resize(1);
  return lab;
}

RunReport sample() {
  RunReport run;
  run.kernel_path = "work/02-sample.cu", run.compiled = true;
  CaseResult& result = run.result;
  result.dataset = "book", result.length = 41, result.grid = 2, result.block = 32;
  result.mismatches.resize(3);
  result.lines.resize(6);
  result.lines[0].line = 0;  // outside of the source: made by the compiler
  result.lines[0].counters.global_load = {1, 1, 4, 1};
  result.lines[1].line = 4;
  result.lines[1].counters.shared_store = {2, 2, 0, 56, 14};
  result.lines[2].line = 5;
  result.lines[2].counters.barriers = 123456;
  result.lines[3].line = 6;
  result.lines[3].counters.global_load = {2'000'000, 2'500'000, 50'000'000, 50'000'000};
  result.lines[3].counters.shared_atomic = {2'000'000, 2'100'000, 100'000, 200'000'000, 50'000'000};
  result.lines[3].counters.shared_contention.requests_of_degree[17] = 1;
  result.lines[4].line = 8;
  result.lines[4].counters.shared_store = {2, 2, 0, 256, 64};
  result.lines[4].counters.barriers = 2;
  result.lines[5].line = 9;
  result.lines[5].counters.global_store = {10'000, 10'000, 1'280'000, 320'000};
  for (const reference::LineCounters& line : result.lines)
    static_cast<reference::Traffic&>(result.totals) += line.counters;
  result.findings = {finding(kernels::FindingKind::data_race, kernels::Severity::error, 9, 4, 7,
                             "threads 3 and 17 of block 0 both update histo[0] without an atomic "
                             "operation; one update is lost. Use atomicAdd"),
                     finding(kernels::FindingKind::data_race, kernels::Severity::note, 8, 8, 1,
                             "all threads write one value"),
                     finding(kernels::FindingKind::shared_memory_limit, kernels::Severity::error, 0,
                             0, 1, "too much of it")};
  return run;
}

}  // namespace

TEST_CASE("a listing has counters in the margin and findings under their lines, in 80 columns") {
  const std::string text = listing(sample(), one_kernel(), source, nullptr, {});
  CHECK(matches_golden("listing.txt", text));
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(columns(line) <= 80, line);
  CHECK(text.find('\033') == std::string::npos);
  CHECK(listing(sample(), one_kernel(), source, nullptr, {.color = true, .report_path = {}})
            .find("\033[31m!") != std::string::npos);
}

TEST_CASE(
    "the solution's totals follow the kernel's, and a line that exceeds the solution has a "
    "remark") {
  RunReport run = sample();
  run.result.findings.clear(), run.result.mismatches.clear();
  run.result.correct = true;
  CaseResult solution = run.result;
  solution.totals.global_load.sectors /= 2;
  solution.lines[3].counters.shared_atomic.bank_conflicts = 0;
  const std::string text = listing(run, one_kernel(), source, &solution, {});
  CHECK(text.find("  * 0.05 bank conflicts per request to shared memory, the solution has 0\n") !=
        std::string::npos);
  CHECK(text.find("in all\n4.0M 0.63") != std::string::npos);
  CHECK(text.find(" the solution\n") == text.rfind(" the solution\n"));
  CHECK(listing(run, one_kernel(), source, nullptr, {}).find("the solution") == std::string::npos);
  run.result.correct = false;
  CHECK(listing(run, one_kernel(), source, &solution, {}).find("  * ") == std::string::npos);
  solution.ending = kernels::Ending::timed_out;  // then nothing is compared
  CHECK(listing(run, one_kernel(), source, &solution, {}).find("the solution") ==
        std::string::npos);
}

TEST_CASE("a wider terminal wraps fewer lines of code") {
  const std::string text =
      listing(sample(), one_kernel(), source, nullptr, {.report_path = {}, .width = 140});
  CHECK(text.find("atomicAdd(&s[a_very_long_name_of_a_function_of_mine(data[i])], 1u);\n") !=
        std::string::npos);
}

TEST_CASE("no code is lost if a line wraps") {
  const auto squeezed = [](const std::string& text) {
    std::string kept;
    for (const char c : text)
      if (c != ' ' && c != '\t') kept += c;
    return kept;
  };
  for (const std::string& line :
       {std::string(300, 'x'), std::string(90, ' ') + "x = y;",
        std::string("\xC3\xA9") + std::string(200, '('),
        std::string("a b, c(d[e] f) ") + std::string(60, 'y') + " g h", std::string(120, ',')}) {
    RunReport run = sample();
    run.result.lines.clear(), run.result.findings.clear();
    std::istringstream rows{listing(run, one_kernel(), line + "\n", nullptr, {})};
    std::string code;
    bool begun = false;
    for (std::string row; std::getline(rows, row);) {
      CHECK(columns(row) <= 80);
      if (row.find("in all") != std::string::npos) break;
      if (begun && row.size() > 29) code += row.substr(29);
      begun |= row.starts_with("reqs sect");
    }
    CHECK(squeezed(code) == squeezed(line));
  }
}

TEST_CASE("escape sequences for the terminal are made harmless") {
  CHECK(listing(sample(), one_kernel(), "\033[2J", nullptr, {}).find('\033') == std::string::npos);
}

TEST_CASE("an empty source, and lines beyond its end") {
  RunReport run = sample();
  const std::string text = listing(run, one_kernel(), "", nullptr, {});
  CHECK(text.find("elsewhere") != std::string::npos);
}

TEST_CASE("a kernel that does not compile has its errors instead of a listing") {
  RunReport run = sample();
  run.compiled = false;
  run.diagnostics = {{kernels::Severity::error, 2, 1, "expected ';'"}};
  CHECK(listing(run, one_kernel(), source, nullptr, {}) == to_text(run, {}, source, {}));
}

TEST_CASE("numbers in few columns") {
  CHECK(compact(std::uint64_t{0}) == "0");
  CHECK(compact(std::uint64_t{9999}) == "9999");
  CHECK(compact(std::uint64_t{10'000}) == "10k");
  CHECK(compact(std::uint64_t{999'499}) == "999k");
  CHECK(compact(std::uint64_t{999'500}) == "1.0M");
  CHECK(compact(std::uint64_t{2'500'000}) == "2.5M");
  CHECK(compact(std::uint64_t{21'000'000'000}) == "21G");
  CHECK(compact(~std::uint64_t{0}) == "18E");
  CHECK(compact(1.0) == "1");
  CHECK(compact(1.25) == "1.25");
  CHECK(compact(9.999) == "10");
  CHECK(compact(31.94) == "31.9");
  CHECK(compact(32.0) == "32");
  CHECK(compact(100.0) == "100");
}

TEST_CASE("the result uses the words of the kernel's task") {
  CaseResult result;
  result.binning.bins = 3;
  result.mismatches.resize(2);
  reference::Task largest;
  largest.quantity = reference::Quantity::largest;
  CHECK(result_in_words(result, {}) == "wrong in 2 of 3 bins");
  CHECK(result_in_words(result, largest) == "wrong in 2 of 3 values");
  result.correct = true;
  CHECK(result_in_words(result, {}) == "every bin is right");
  CHECK(result_in_words(result, largest) == "every value is right");
}
