// Golden files: the text for people and the JSON for programs.
#include "grader/feedback/text.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "grader/feedback/advice.h"
#include "grader/pipeline/case_run.h"
#include "grader/pipeline/pipeline.h"
#include "grader/report/report_json.h"
#include "grader/report/report_reader.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"
#include "grader/words/source_excerpt.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

const std::string racy =
    "// fake: lossy 4\n__global__ void histogram(const char* data, unsigned int length, unsigned "
    "int* histo) {\n  "
    "unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;\n\thisto[(data[i] - 'a') / 4]++;  // "
    "one operation?\n}\n";

Report sample_report() {
  static const LabSpec lab = sample_lab();
  std::vector<GradeJob> jobs;
  for (const std::string text :
       {"// fake: right\n", racy.c_str(), "// fake: right loads 32\n", "// fake: endless 1\n",
        "// fake: compile 2\n  }\n", "// fake: crash\n", "// fake: machine\n"})
    jobs.push_back({&lab, Submission{"work/02-sample.cu", text, std::string(64, '0')}});
  jobs.push_back({&lab, std::nullopt});
  FakeDevice device;
  Report report = grade(device, jobs, {});
  report.version = "0.0.0";  // golden files outlive a release
  const char* names[] = {"01-right", "02-racy",  "03-strided", "04-endless",
                         "05-typo",  "06-crash", "07-machine", "08-missing"};
  for (std::size_t i = 0; i < report.labs.size(); ++i) report.labs[i].lab = names[i];
  return report;
}

RunReport sample_run() {
  const LabSpec lab = sample_lab();
  FakeDevice device;
  const auto compiled = device.compile({"work/02-sample.cu", racy}, {});
  RunReport run;
  run.version = "0.0.0";
  run.device_kind = device.kind();
  run.device_name = device.name();
  run.sandbox = "none";
  run.lab = lab.name;
  run.kernel_path = "work/02-sample.cu";
  run.compiled = true;
  CaseResult shape;
  shape.dataset = "book";
  shape.length = 41;
  shape.grid = 2;
  shape.block = 32;
  shape.seed = 1;
  const std::string book = "programming massively parallel processors";
  run.result = *run_case(device, lab, *compiled, shape, {Bytes(book.begin(), book.end())}, {});
  run.result.printed = "hello from thread 0\n";
  return run;
}

}  // namespace

TEST_CASE("the table of grade") {
  const std::string text =
      to_text(sample_report(), {.color = false, .next_steps = true, .report_path = "report.json"});
  CHECK(matches_golden("grade.txt", text));
  CHECK(fits_in_80_columns(text));
  CHECK(text.find('\033') == std::string::npos);
  CHECK(to_text(sample_report(), {.color = true, .next_steps = true, .report_path = ""})
            .find("\033[31m") != std::string::npos);
}

TEST_CASE("the report") { CHECK(matches_golden("report.json", to_json(sample_report()))); }

TEST_CASE("a report that is read back has the same advice as printed") {
  for (const LabResult& lab : sample_report().labs) {
    Result<LabResult> read = lab_result_from_json(text_of(json_of(lab)), lab.lab);
    REQUIRE(read.ok());
    if (lab.submission) read->submission->text = lab.submission->text;
    const std::optional<Advice> printed = advice_for(lab), again = advice_for(*read);
    REQUIRE(printed.has_value() == again.has_value());
    if (!printed) continue;
    CHECK(again->headline == printed->headline);
    CHECK(to_text(*again, *read->submission) == to_text(*printed, *lab.submission));
  }
}

TEST_CASE("the text of run") {
  const std::string text = to_text(sample_run(), sample_lab(), racy, {});
  CHECK(matches_golden("run.txt", text));
  CHECK(fits_in_80_columns(text));
}

TEST_CASE("the JSON of run") { CHECK(matches_golden("run.json", to_json(sample_run()))); }

TEST_CASE("a source line has its mark") {
  CHECK(source_excerpt("k.cu", "\tif (x)  // why\n", 1, 0) ==
        "  k.cu:1\n      1 | if (x)  // why\n        | ^~~~~~\n");
  CHECK(source_excerpt("k.cu", "\tif (x)\n", 1, 13) ==
        "  k.cu:1\n      1 | if (x)\n        |     ^\n");
  CHECK(source_excerpt("k.cu", "\n", 1, 0) == "  k.cu:1\n");
  CHECK(source_excerpt("k.cu", "x\n", 0, 0).empty());
  // Beyond the edge of the screen, the mark is still below its character.
  for (const int column : {60, 67, 68, 69, 70, 71, 100, 200}) {
    std::string line(200, '.');
    line[static_cast<std::size_t>(column) - 1] = '#';
    const std::string text = source_excerpt("k.cu", line + "\n", 1, column);
    CHECK(fits_in_80_columns(text));
    const std::size_t code = text.find('\n') + 1, mark = text.find('\n', code) + 1;
    REQUIRE(text.find('^') != std::string::npos);
    CHECK(text.find('^') - mark == text.find('#') - code);
  }
}

TEST_CASE("text that is not UTF-8 does not break a report") {
  RunReport run = sample_run();
  run.result.printed = "\xff\xfe";
  CHECK(to_json(run).find("\"printed\"") != std::string::npos);
}
