// Tests of placeholders with made-up measurements and with runs on the fake device.
#include "grader/lessons/facts.h"

#include <doctest/doctest.h>

#include "grader/lab/catalogue.h"
#include "grader/lessons/page.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::lessons;
using namespace histolab::grader::testing;

namespace {

constexpr const char* measurements = R"json({
  "device": "A GPU", "driver": "1.2", "date": "2026-11-22", "read_limit_gb_per_s": 4561.51,
  "rows": [
    {"kernel": "global", "dataset": "letters", "factor": null, "bins": 7, "elements_per_s": 5.4e9, "median_ms": 2.5},
    {"kernel": "global", "dataset": "runs", "factor": null, "bins": 7, "elements_per_s": 1.35e9, "median_ms": 10.0},
    {"kernel": "shared", "dataset": "letters", "factor": null, "bins": 7, "elements_per_s": 293e9, "median_ms": 0.5},
    {"kernel": "shared", "dataset": "letters", "factor": 16, "bins": 7, "elements_per_s": 1515.3e9, "median_ms": 0.125}
  ]})json";
constexpr const char* profile =
    R"json({"device": "A GPU", "driver": "1.2", "date": "2026-11-22", "facts": {"multiprocessors": 132},
  "figures": {"sm_clock": {"value": 1.98, "unit": "GHz"}}, "curves": {"adds": {"points": [[1, 1.03], [32, 32.05]]}}})json";

struct Course {
  TemporaryFolder folder;
  std::vector<LabSpec> labs;
  Course() {
    put(folder.at("measurements/m.json"), measurements);
    put(folder.at("profiles/p.json"), profile);
    put_sample_lab(folder.at("labs"));
    labs = *load_catalogue(folder.at("labs"));
  }
  // Returns the page without its last line, or its problems, each as "LINE: MESSAGE".
  [[nodiscard]] std::string page(const std::string& text) {
    const PageSource source = parse_page(text);
    std::string problems;
    const auto tell = [&](const std::vector<PageProblem>& list) {
      for (const PageProblem& each : list)
        problems += std::to_string(each.line) + ": " + each.message + "\n";
    };
    tell(source.problems);
    std::vector<RunKey> keys;
    for (const Placeholder& each : source.placeholders) {
      const auto wanted = wanted_runs(each.expression, labs, labs[0]);
      if (!wanted)
        problems += wanted.error().message + "\n";
      else
        keys.insert(keys.end(), wanted->begin(), wanted->end());
    }
    if (!problems.empty()) return problems;
    FakeDevice device;
    const auto runs = run_cases(device, labs, keys, 1);
    REQUIRE(runs.ok());
    DataFiles files{folder.at("measurements"), folder.at("profiles")};
    Facts facts{files, labs, labs[0], *runs};
    const Page made = make_page(source, facts);
    tell(made.problems);
    return problems.empty() ? made.text.substr(0, made.text.find("\n\n<!--")) : problems;
  }
};

}  // namespace

TEST_CASE("a row is found by its keys, and the field may be narrowed down later") {
  Course course;
  CHECK(course.page("{{measured m kernel=global dataset=runs speed as 3 digits}}") == "1.35");
  CHECK(course.page("{{measured m kernel=shared factor=none median_ms}} and {{measured m factor=16 "
                    "bins=7 speed}}") == "0.50 and 1515");
  CHECK(course.page("{{let global = measured m kernel=global speed}}\n| a | b | c "
                    "|\n|---|---|---|\n| x | {{global dataset=letters,runs as 3 digits}} |\n") ==
        "| a   | b    | c    |\n| --- | ---- | ---- |\n| x   | 5.40 | 1.35 |");
  CHECK(course.page("{{let a = measured m kernel=shared dataset=letters factor=none}}\n{{a "
                    "factor=16 speed}}") == "1515");
}

TEST_CASE("arithmetic with measured values") {
  Course course;
  CHECK(course.page("{{let s = measured m kernel=shared factor=none speed}}\n{{let g = measured m "
                    "kernel=global dataset=letters speed}}\nIt is {{s / g as times}} as fast.") ==
        "It is 54 times as fast.");
  CHECK(course.page("{{2 + 3 * 4 - 6 / 2}}") == "11");
  CHECK(course.page(
            "{{profile p multiprocessors * profile p sm_clock / profile p adds 32 as 3 digits}}") ==
        "8.15");
  CHECK(course.page("{{measured m kernel=global dataset=letters,runs median_ms / 2}}") ==
        "1.2 | 5");
  CHECK(course.page("{{1 / 0}}").starts_with("1: {{1 / 0}}: the value is"));
}

TEST_CASE("heads of files, cases, checks and given values") {
  Course course;
  CHECK(course.page("{{source m}}; {{source m read_limit_gb_per_s}}; {{source p device}}") ==
        "A GPU, driver 1.2, 2026-11-22; 4562; A GPU");
  CHECK(course.page("{{case this letters-256 length}} {{case 02 twice-32 dataset}} {{check this "
                    "coalesced limit.constant}} {{check this no_findings points}}") ==
        "50 000 mixed 2 3");
  CHECK(course.page("a factor of {{given 33}}") == "a factor of 33");
}

TEST_CASE("counters, histograms and findings come from a run") {
  Course course;
  CHECK(course.page("{{counter this empty launch__grid_size}} block of {{counter 02=stub twice-32 "
                    "launch__block_size}}") == "1 block of 32");
  CHECK(course.page("{{histogram this=stub letters-256}}") == "0, 0, 0, 0, 0, 0, 0");
  CHECK(course.page("See:\n\n    {{finding this=racy letters-256}}\n") ==
        "See:\n\n    data_race: threads 3 and 17 of block 0 both update histo[3] without an\n    "
        "atomic operation; one update is lost. Use atomicAdd");
}

TEST_CASE("an unknown name is reported with similar ones") {
  Course course;
  const auto says = [&](const std::string& placeholder, const std::string& what) {
    const std::string said = course.page(placeholder);
    CHECK_MESSAGE(said.find(what) != std::string::npos, said);
  };
  says("{{measured m kernel=global dataset=words speed}}",
       "m has no row with kernel=global dataset=words; with the others there is dataset=letters, "
       "runs");
  says("{{measured m kernel=shared speed}}", "2 rows of m fit; they differ in factor=none, 16");
  says("{{measured m kernl=shared speed}}",
       "the rows of m have no \"kernl\"; did you mean kernel?");
  says("{{measured m kernel=global dataset=runs speeed}}", "did you mean speed?");
  says("{{measured m kernel=global dataset=runs}}", "no field is given");
  says("{{measured n kernel=a speed}}", "n.json: there is no such file");
  says("{{measured m kernel=global,shared dataset=letters,runs speed}}",
       "only one key may have several values");
  says("{{profile p sm_clok}}", "did you mean sm_clock?");
  says("{{profile p adds 16}}", "its points are 1, 32");
  says("{{profile p sm_clock 3}}", "not a curve");
  says("{{counter this nowhere launch__grid_size}}", "no case \"nowhere\"");
  says("{{counter this empty launch__grid_sise}}", "did you mean launch__grid_size?");
  says("{{counter 09 empty launch__grid_size}}", "09");
  says("{{counter this=../../x empty launch__grid_size}}", "is not a kernel");
  says("{{counter this=absent empty launch__grid_size}}", "there is no such file");
  says("{{finding this letters-256}}", "has no finding");
  says("{{finding this=typo letters-256}}", "was not run: expected ';'");
  says("{{check this coalesed points}}", "did you mean coalesced?");
  says("{{case this empty factor}}", "has no \"factor\"");
  says("{{speeed}}", "is neither a keyword nor a defined name");
  says("one\ntwo {{let a = 3}}", "2: {{let a ...}} must be on a line of its own");
  says("{{let a = 3}}\n{{let a = 4}}", "2: {{let a = 4}}: the name a is already defined");
  says("{{let case = 3}}", "cannot be a name");
  says("{{a", "1: {{ has no }} on the same line");
}

TEST_CASE("a stale page names the line and shows both texts") {
  const auto stale = stale_lines("# A\n\n12 letters\nrest\n", "# A\n\n13 letters\nrest\n");
  REQUIRE(stale.size() == 1);
  CHECK(stale[0].line == 3);
  CHECK(stale[0].message.starts_with(
      "says \"12 letters\", but lesson.in.md generates \"13 letters\"; run `histolab check"));
  CHECK(stale_lines("a\n", "a\n").empty());
  CHECK(stale_lines("a\n", "a\nb\n").size() == 1);
  CHECK(stale_lines("1\n2\n3\n4\n5\n6\n7\n", "a\nb\nc\nd\ne\nf\ng\n").size() == 5);
}

TEST_CASE("fenced code is left alone") {
  Course course;
  CHECK(course.page("```cuda\nint a[2][2] = {{1, 2}, {3, 4}};\n```\n") ==
        "```cuda\nint a[2][2] = {{1, 2}, {3, 4}};\n```");
}
