#include "grader/testing/sample.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "grader/words/words.h"

namespace histolab::grader::testing {

bool fits_in_80_columns(const std::string& text) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);)
    if (columns(line) > 80) return false;
  return true;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string sample_lab_json() {
  return R"json({
  "schema": "histolab/lab/1",
  "title": "A sample",
  "summary": "For the grader's own tests.",
  "objectives": ["Count."],
  "kernel": {
    "name": "histogram",
    "declaration": "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo)",
    "arguments": [
      {"name": "data", "kind": "input", "element_bytes": 1},
      {"name": "length", "kind": "length"},
      {"name": "histo", "kind": "output", "element_bytes": 4}
    ]
  },
  "binning": {"domain": "letters", "bins": 7, "width": 4},
  "exports": [{"name": "coarsening_factor", "default": 8, "min": 2, "max": 256}],
  "launch": {"grid": "per_coarse_element", "factor": "coarsening_factor", "dynamic_shared_bytes": 28},
  "cases": [
    {"id": "empty", "dataset": "mixed", "length": 0, "block": 256, "quick": true},
    {"id": "letters-256", "dataset": "uniform-letters", "length": 50000, "block": 256, "schedule": "random", "block_order": "random",
     "fixed": ["length", "block"]},
    {"id": "twice-32", "dataset": "mixed", "length": 4001, "block": 32, "launches": 2, "quick": true, "fixed": ["length"]}
  ],
  "checks": [
    {"id": "matches_reference", "kind": "matches_reference", "points": 5, "title": "every letter counts",
     "hint": "Is every update one atomic operation?"},
    {"id": "no_findings", "kind": "no_findings", "points": 3},
    {"id": "coalesced", "kind": "counter_at_most", "points": 2, "min_block": 32,
     "counter": "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", "limit": {"constant": 2},
     "hint": "Neighbouring threads should read neighbouring bytes."}
  ],
  "max_score": 10,
  "stub": {"status": "failed", "check": "matches_reference"}
}
)json";
}

std::string sample_lab_json_with_quiz() {
  std::string json = replaced(sample_lab_json(),
                              R"("hint": "Neighbouring threads should read neighbouring bytes."})",
                              R"("hint": "Neighbouring threads should read neighbouring bytes."},
    {"id": "questions", "kind": "quiz", "points": 3, "title": "the quiz", "hint": "The lesson has it."})");
  return replaced(json, "\"max_score\": 10", "\"max_score\": 13");
}

void put_sample_lab(const std::string& labs) {
  const std::string lab = labs + "/02-sample";
  put(lab + "/lab.json", sample_lab_json());
  put(lab + "/lesson.in.md",
      "<!-- for the grader's own tests -->\n# A sample\n\nIt has {{case this letters-256 length}} "
      "letters.\n");
  put(lab + "/lesson.md",
      "# A sample\n\nIt has 50 000 letters.\n\n<!-- Made from lesson.in.md by `histolab check "
      "--write-lessons`: change that file, not this one. -->\n");
  put(lab + "/hints.md",
      "# Hints\n\n## First\n\nThink.\n\n## Second\n\nThink harder.\n\n## Third\n\nCount.\n");
  put(lab + "/instructor.md",
      "# Notes\n\n## Misconceptions\n\n| misconception | attempts |\n|---|---|\n| ++ is one step | "
      "`racy` |\n| any order is as good | `strided` |\n| it compiles | `typo` |\n");
  put(lab + "/stub.cu", "// fake: nothing\n// TODO\n");
  put(lab + "/solution.cu", "// fake: right\nhisto = truth;\n");
  put(lab + "/attempts/racy/kernel.cu",
      "// fake: lossy 3\n__global__ void histogram() {\n\thisto[b]++;  // not one operation\n}\n");
  put(lab + "/attempts/racy/expect.json",
      R"({"status": "failed", "check": "matches_reference", "finding": {"kind": "data_race", "variable": "histo", "line": 3}, "why": "Two threads update one bin."})");
  put(lab + "/attempts/strided/kernel.cu", "// fake: right loads 32\n");
  put(lab + "/attempts/strided/expect.json",
      R"({"status": "failed", "check": "coalesced", "why": "Each thread reads a far byte."})");
  put(lab + "/attempts/typo/kernel.cu", "// fake: compile 2\n  }\n");
  put(lab + "/attempts/typo/expect.json",
      R"({"status": "compile_error", "line": 2, "why": "A semicolon is missing."})");
}

LabSpec sample_lab_in(const std::string& labs) {
  put_sample_lab(labs);
  Result<LabSpec> lab = load_lab(labs + "/02-sample");
  if (!lab) {
    std::fprintf(stderr, "the sample lab does not load: %s\n", lab.error().message.c_str());
    std::abort();
  }
  return std::move(*lab);
}

LabSpec sample_lab() {
  const TemporaryFolder labs;
  LabSpec lab = sample_lab_in(labs.path());
  lab.directory = "labs/02-sample";
  return lab;
}

}  // namespace histolab::grader::testing
