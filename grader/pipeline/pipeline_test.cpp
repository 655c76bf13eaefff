#include "grader/pipeline/pipeline.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "grader/checks/checks.h"
#include "grader/lab/launch_plan.h"
#include "grader/report/report_json.h"
#include "grader/testing/fake_device.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;

namespace {

Submission handed_in(const std::string& text) { return {"work/02-sample.cu", text, "-"}; }

LabResult graded(const std::string& text, GradeOptions options = {}) {
  FakeDevice device;
  const LabSpec lab = sample_lab();
  return grade_labs(device, {{&lab, handed_in(text)}}, options).front();
}

}  // namespace

TEST_CASE("the lab's contract determines the launch") {
  LabSpec lab = sample_lab();
  KernelSpec& kernel = lab.kernels.front();
  CHECK(shape_of(lab, 0, {{"coarsening_factor", 8}}, 50000, 256).grid == 25);
  CHECK(shape_of(lab, 0, {{"coarsening_factor", 8}}, 0, 256).grid == 1);
  kernel.launch.grid = LaunchRule::Grid::per_element;
  CHECK(shape_of(lab, 0, {}, 257, 256).grid == 2);
  CHECK(shape_of(lab, 0, {}, 0xFFFFFFFF, 1).grid == 0xFFFFFFFF);
  kernel.launch.grid = LaunchRule::Grid::fixed;
  CaseSpec spec;
  spec.length = 257;
  spec.grid = 8;
  spec.offset = 3;
  spec.binning.bins = 26;
  CHECK(shape_of(lab, spec, {}).grid == 8);
  CHECK(shape_of(lab, spec, {}).offset == 3);
  CHECK(shape_of(lab, spec, {}).dynamic_shared_bytes == 28);
  kernel.launch.dynamic_shared_bytes = 0;
  kernel.launch.shared_bytes_per_bin = 4;
  CHECK(shape_of(lab, spec, {}).dynamic_shared_bytes == 104);
  kernel.launch.shared_export = "shared_bytes";
  kernel.copies = "copies";
  CHECK(shape_of(lab, spec, {{"shared_bytes", 1000}, {"copies", 3}}).dynamic_shared_bytes == 1000);
  CHECK(output_bytes(lab, shape_of(lab, spec, {{"copies", 3}})) == 3 * 26 * 4);
  CHECK(default_fixed_grid(1 << 20, 256) == 64);
  CHECK(default_fixed_grid(100, 256) == 1);
  CHECK(step_budget(0, 256) == 1 << 17);
  CHECK(step_budget(100000, 32) == 1000 * (4 * 3125 + 64));
}

TEST_CASE("the data of a case depend on seed, lab and case") {
  CHECK(case_seed(1, "02", "a") == case_seed(1, "02", "a"));
  CHECK(case_seed(1, "02", "a") != case_seed(2, "02", "a"));
  CHECK(case_seed(1, "02", "a") != case_seed(1, "03", "a"));
  CHECK(case_seed(1, "02", "a") != case_seed(1, "02", "b"));
  CHECK(case_seed(1, "0", "2a") != case_seed(1, "02", "a"));
  CHECK(case_seed(1, "02", "a") < (std::uint64_t{1} << 32));
}

TEST_CASE("a right kernel passes") {
  const LabResult lab = graded("// fake: right\n");
  CHECK(lab.status == Verdict::passed);
  CHECK(lab.score == 10);
  CHECK(lab.cases.size() == 3);
  CHECK(lab.cases[2].runs.size() == 2);
  // Each launch has its own data.
  CHECK(lab.cases[2].runs[0].histogram != lab.cases[2].runs[1].histogram);
  CHECK(first_failing(lab) == nullptr);
}

TEST_CASE("a lossy kernel fails with the counts, the race and one finding for all cases") {
  const LabResult lab = graded("// fake: lossy 3\n\n histo[b]++;\n");
  CHECK(lab.status == Verdict::failed);
  CHECK(lab.score == 0);
  CHECK(lab.checks[2].status == CheckResult::Status::not_run);  // coalesced
  CHECK(lab.checks[2].seen.sentence() == "is judged when the counts are right");
  REQUIRE(lab.findings.size() == 1);
  // Three launches with data, seven times each.
  CHECK(lab.findings[0].count == 21);
  const CheckResult& check = *first_failing(lab);
  CHECK(check.id == "matches_reference");
  CHECK(check.line == 3);
  CHECK(
      check.seen.sentence().starts_with("case letters-256 (uniform-letters, 50 000 bytes, grid 25 "
                                        "x block 256, random schedule and order): expected "));
  CHECK(check.seen.sentence().find(
            ": 75 % of the updates are lost; 7 of 7 bins are wrong (2 of 3 cases fail)") !=
        std::string::npos);
  CHECK(check.hint == "Use atomicAdd");
  CHECK(lab.checks[1].seen.sentence().find("data_race: threads 3 and 17") != std::string::npos);
}

TEST_CASE("wrong counts of a kernel without the export name the value that was used instead") {
  const auto message = [](const std::string& source) {
    return graded(source).checks[0].seen.sentence();
  };
  CHECK(message("// fake: lossy 3\n")
            .ends_with(
                ". Note: the kernel does not export coarsening_factor, so it was launched with 8"));
  CHECK(message("// fake: right\n").find("Note") == std::string::npos);
  CHECK(message("// fake: crash\n").find("Note") == std::string::npos);
}

TEST_CASE("an output that is too small without the export gets a note and the fix") {
  LabSpec lab = sample_lab();
  lab.kernels.front().copies = "coarsening_factor";
  const auto check = [&](const std::string& source) {
    FakeDevice device;
    return grade_labs(device, {{&lab, handed_in(source)}}, {}).front().checks[1];
  };
  const std::string cure =
      "Write extern \"C\" __device__ const unsigned int coarsening_factor = ...;";
  for (const char* source : {"// fake: out_of_bounds 3\n",
                             "// fake: out_of_bounds 3\nconst int coarsening_factor = 8;\n"}) {
    const CheckResult absent = check(source);
    CHECK(absent.seen.note ==
          "the kernel does not export coarsening_factor, so it was launched with 8");
    CHECK(absent.hint == cure);
    CHECK(absent.line == 3);
  }
  for (const char* hidden :
       {"enum { coarsening_factor = 16 };\n", "#define coarsening_factor 32\n"}) {
    const CheckResult not_run = check(std::string("// fake: out_of_bounds 3\n") + hidden);
    CHECK(not_run.status == CheckResult::Status::not_run);
    CHECK(not_run.line == 2);
  }
  const CheckResult exported = check("// fake: out_of_bounds 3 export coarsening_factor 16\n");
  CHECK(exported.seen.note.empty());
  CHECK(exported.hint != cure);
}

TEST_CASE("an absent export is noted only for mistakes that it can cause") {
  const auto note = [](const LabSpec& lab, const char* source, std::size_t check) {
    FakeDevice device;
    return grade_labs(device, {{&lab, handed_in(source)}}, {}).front().checks[check].seen.note;
  };
  LabSpec lab = sample_lab();
  CHECK(note(lab, "// fake: out_of_bounds 3\n", 1)
            // It decides the grid, not the size of histo.
            .empty());
  CHECK_FALSE(note(lab, "// fake: lossy 3\n", 0).empty());
  lab.kernels.front().launch.factor.clear();
  lab.kernels.front().copies = "coarsening_factor";
  // The counts are wrong, but every access is within histo.
  CHECK(note(lab, "// fake: lossy 3\n", 0).empty());
  CHECK_FALSE(note(lab, "// fake: out_of_bounds 3\n", 1).empty());
  lab.kernels.front().copies.clear();
  lab.kernels.front().launch.shared_export = "coarsening_factor";
  // histo is not in shared memory.
  CHECK(note(lab, "// fake: out_of_bounds 3\n", 1).empty());
  CHECK(note(lab, "// fake: lossy 3\n", 0).empty());
  CHECK_FALSE(note(lab, "// fake: no_shared_memory 3\n", 1).empty());
}

TEST_CASE("a later launch that fails because a variable keeps its value") {
  const CheckResult check =
      graded("// fake: keeps\n\n__device__ unsigned int next_part;\n").checks[0];
  CHECK(check.status == CheckResult::Status::failed);
  CHECK(check.launch == 2);
  CHECK(check.line == 3);
  CHECK(check.seen.why ==
        "a __device__ variable keeps its value: next_part begins this launch with the value from "
        "the previous launch");
  CHECK(check.hint == "Set next_part back before the kernel ends, in the last block to finish");
  // There is one advice, which every report prints.
  CHECK(check.seen.next.empty());
  CHECK(
      graded("// fake: nothing\n__device__ unsigned int next_part;\n").checks[0].seen.why.empty());
  const CheckResult stuck = graded(
                                "// fake: keeps_lock 3\n__device__ unsigned left, lock;\nwhile "
                                "(atomicExch(&lock, 1)) {}\n")
                                .checks[0];
  REQUIRE(stuck.cause);
  CHECK(stuck.seen.why == "lock begins this launch with the value from the previous launch");
}

TEST_CASE("wrong counts that are right in the default order are explained by the order") {
  LabSpec lab = sample_lab();
  const auto check = [&](const char* source) {
    FakeDevice device;
    return grade_labs(device, {{&lab, handed_in(source)}}, {}).front().checks[0];
  };
  const CheckResult mixed = check("// fake: ordered\n");
  CHECK(mixed.seen.where.find("letters-256") != std::string::npos);
  CHECK(mixed.seen.why == "the same case is right if warps take turns in ascending order");
  CHECK(mixed.hint.find("__syncthreads()") != std::string::npos);
  // Wrong in any order.
  CHECK(check("// fake: nothing\n").seen.why.empty());
  // A finding explains it.
  CHECK(check("// fake: lossy 3\n").seen.why.empty());
  lab.cases[1].schedule = kernels::Schedule::lockstep;
  CHECK(check("// fake: ordered\n").seen.why ==
        "the same case is right if warps take turns in ascending order");
  CHECK(check("// fake: ordered_blocks\n").seen.why ==
        "the same case is right if blocks run in ascending order");
  CHECK(check("// fake: ordered_blocks\n").hint.find("last ticket") != std::string::npos);
  for (CaseSpec& each : lab.cases) each.block_order = kernels::BlockOrder::interleaved;
  CHECK(check("// fake: ordered_blocks\n").seen.why ==
        "the same case is right if blocks run one after another");
  CHECK(check("// fake: ordered_blocks\n").hint.find("retry loop") != std::string::npos);
  for (CaseSpec& each : lab.cases) each.block_order = kernels::BlockOrder::ascending;
  CHECK(check("// fake: ordered\n").status == CheckResult::Status::passed);
}

TEST_CASE(
    "a result that depends on the order is a race: no_findings fails, technique earns nothing") {
  const LabSpec lab = sample_lab();
  for (const char* source : {"// fake: ordered\n", "// fake: ordered_blocks\n"}) {
    FakeDevice device;
    const LabResult result = grade_labs(device, {{&lab, handed_in(source)}}, {}).front();
    CHECK(result.score == 0);
    CHECK(result.checks[1].status == CheckResult::Status::failed);
    CHECK(result.checks[1].seen.what == "the result depends on the order in which threads run");
    CHECK(result.checks[1].seen.why == result.checks[0].seen.why);
    CHECK(result.checks[1].hint == result.checks[0].hint);
  }
  // Wrong in any order.
  CHECK(graded("// fake: nothing\n").checks[1].status == CheckResult::Status::not_run);
}

TEST_CASE("if each thread does all the work, only one case runs and the reason is given once") {
  LabSpec lab = sample_lab();
  CaseSpec small = lab.cases[1];
  small.id = "small";
  small.length = 31;
  small.block = 16;
  lab.cases.insert(lab.cases.begin() + 1, small);
  for (CheckSpec& check : lab.checks) check.cases = {0, 1, 2, 3};
  for (const unsigned jobs : {1u, 4u}) {
    FakeDevice device;
    GradeOptions options;
    options.jobs = jobs;
    const LabResult result =
        grade_labs(device, {{&lab, handed_in("// fake: repeats\n")}}, options).front();
    CHECK(result.status == Verdict::failed);
    CHECK(result.score == 0);
    const CheckResult& first = *first_failing(result);
    CHECK(first.id == "matches_reference");
    CHECK(first.seen.where.starts_with("case small"));
    CHECK(first.seen.why ==
          "each element is counted 16 times, once per thread: every thread "
          "counts the elements that all should share");
    CHECK(result.checks[1].status == CheckResult::Status::not_run);
    CHECK(result.cases[2].skipped ==
          "in case small 16 threads make 496 loads for 31 bytes, so later cases were not run");
    CHECK(result.cases[3].skipped == result.cases[2].skipped);
  }
}

TEST_CASE("a kernel that counts nothing earns no points by omission") {
  const LabResult lab = graded("// fake: nothing\n");
  CHECK(lab.status == Verdict::failed);
  CHECK(lab.score == 0);
  CHECK(first_failing(lab)->id == "matches_reference");
  CHECK(lab.checks[1].status == CheckResult::Status::not_run);
  CHECK(lab.checks[1].seen.sentence() ==
        "the kernel counted nothing in 3 cases, so there is nothing to judge yet");
}

TEST_CASE(
    "the cause of wrong counts comes from the reported case, and the lab does not ask for it") {
  LabSpec lab = sample_lab();
  CaseResult racy, wrong;
  racy.id = lab.cases[1].id;
  wrong.id = lab.cases[2].id;
  racy.correct = wrong.correct = false;
  wrong.mismatches.push_back({1, 0, 100, 25});
  wrong.runs.emplace_back().histogram = {25};
  kernels::Finding race;
  race.kind = kernels::FindingKind::data_race;
  race.line = 3;
  racy.findings.push_back(race);
  CheckSpec check = lab.checks[0];
  check.cases = {2};
  const CheckResult alone = judge_check(lab, check, {racy, wrong});
  CHECK_FALSE(alone.cause);
  CHECK(alone.line == 0);
  CHECK(alone.seen.sentence().find("expected 100 in bin 0 (a-d), got 25: 75 % are missing") !=
        std::string::npos);

  wrong.findings.push_back(race);
  const CheckResult raced = judge_check(lab, check, {racy, wrong});
  REQUIRE(raced.cause);
  CHECK(raced.line == 3);
  CHECK(raced.seen.sentence().find("75 % of the updates are lost") != std::string::npos);

  CheckSpec shows;
  shows.kind = CheckKind::expects_finding;
  shows.finding = kernels::FindingKind::data_race;
  lab.checks.push_back(shows);
  CHECK_FALSE(judge_check(lab, check, {racy, wrong}).cause);
}

TEST_CASE("hints for the pattern of wrong counts") {
  const LabSpec lab = sample_lab();
  CheckSpec check = lab.checks[0];
  check.cases = {1};
  check.hint = "Think.";
  for (const Symptom symptom : all_symptoms) check.hints.emplace_back(name(symptom), name(symptom));
  struct Row {
    std::vector<double> expected, got;
    std::uint32_t block;
    std::string hint;
  };
  for (const Row& row : {Row{{1, 2, 3}, {0, 0, 0}, 256, "nothing_counted"},
                         {{1, 2, 3}, {1, 2, 0}, 2, "last_bins"},
                         {{1, 2, 3}, {1, 2, 0}, 3, "too_few"},
                         {{1, 2, 3}, {1, 3, 2}, 256, "other_bins"},
                         {{1, 2, 3}, {1, 4, 5}, 256, "too_many"},
                         {{1, 2, 3}, {1, 2, 2}, 256, "too_few"},
                         {{1, 2, 3}, {3, 2, 2}, 256, "Think."},
                         {{1, 0, 3}, {512, 0, 1536}, 256, "repeated"},
                         {{1, 2, 3}, {256, 512, 768}, 256, "repeated"},
                         {{1, 2, 3}, {2, 4, 6}, 256, "repeated"},
                         {{1, 2, 3}, {3, 6, 9}, 256, "Think."},
                         {{1, 2, 3}, {2, 2, 6}, 256, "too_many"}}) {
    CaseResult wrong;
    wrong.grid = 2;
    wrong.id = lab.cases[1].id;
    wrong.block = row.block;
    wrong.binning = {.bins = 3};
    wrong.runs.emplace_back().histogram = row.got;
    wrong.runs.back().updates_expected =
        static_cast<std::uint64_t>(row.expected[0] + row.expected[1] + row.expected[2]);
    for (std::uint32_t bin = 0; bin < 3; ++bin)
      if (row.expected[bin] != row.got[bin])
        wrong.mismatches.push_back({1, bin, row.expected[bin], row.got[bin]});
    CHECK(judge_check(lab, check, {wrong}).hint == row.hint);
  }
}

TEST_CASE("counters are judged separately for each launch") {
  const LabResult lab = graded("// fake: right loads 32\n");
  CHECK(lab.status == Verdict::failed);
  CHECK(lab.score == 8);
  CHECK(first_failing(lab)->id == "coalesced");
  CHECK(first_failing(lab)->seen.sentence().find("global loads: 32, at most 2 allowed") !=
        std::string::npos);
  CHECK(first_failing(lab)->seen.sentence().ends_with("(2 of 2 cases are above the limit)"));
}

TEST_CASE("a hint is shown for the findings that it is for") {
  LabSpec lab = sample_lab();
  CheckSpec check;
  check.kind = CheckKind::no_findings;
  check.hint = "Look at the index.";
  check.cases = {0};
  CaseResult result;
  result.id = lab.cases[0].id;
  result.findings.emplace_back();
  result.findings[0].kind = kernels::FindingKind::out_of_bounds;
  CHECK(judge_check(lab, check, {result}).hint == "Look at the index.");
  check.hint_for = {kernels::FindingKind::data_race};
  CHECK(judge_check(lab, check, {result}).hint.empty());
  check.hint_for.push_back(kernels::FindingKind::out_of_bounds);
  CHECK(judge_check(lab, check, {result}).hint == "Look at the index.");
  check.hints.emplace_back("out_of_bounds", "Test both ends.");
  CHECK(judge_check(lab, check, {result}).hint == "Test both ends.");
}

TEST_CASE("a finding of several cases is reported with the case of its message") {
  const LabSpec lab = sample_lab();
  std::vector<CaseResult> cases(3);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].id = lab.cases[i].id;
    kernels::Finding race;
    race.kind = kernels::FindingKind::uninitialized_read;
    race.variable = "histo";
    race.line = i == 0 ? 9 : 4;  // the lower line is kept
    race.message = i == 0 ? "as the first case has it" : "as the others have it";
    if (i != 1) cases[i].findings.push_back(race);
  }
  const auto check = std::find_if(lab.checks.begin(), lab.checks.end(), [](const CheckSpec& each) {
    return each.kind == CheckKind::no_findings;
  });
  const CheckResult result = judge_check(lab, *check, cases);
  CHECK(result.seen.sentence().starts_with("case " + lab.cases[2].id));
  CHECK(result.seen.sentence().find("as the others have it (2 times in all cases)") !=
        std::string::npos);
}

TEST_CASE("an endless kernel costs one case, whatever the number of jobs") {
  const LabSpec lab = sample_lab();
  for (const unsigned jobs : {1u, 4u}) {
    FakeDevice device;
    GradeOptions options;
    options.jobs = jobs;
    const LabResult result =
        grade_labs(device, {{&lab, handed_in("// fake: endless 1\n")}}, options).front();
    CHECK(result.status == Verdict::failed);
    CHECK(result.cases[0].skipped.empty());
    CHECK(result.cases[1].skipped == "case empty did not end, so later cases were not run");
    CHECK_FALSE(result.cases[2].skipped.empty());
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].count == 7);
    if (jobs == 1) CHECK(device.launches_made == 1);
    CHECK(result.score == 0);
  }
}

TEST_CASE("an endless kernel does not stop the lab's other kernels from running") {
  FakeDevice device;
  LabSpec lab = sample_lab();
  lab.kernels.push_back(lab.kernels.front());
  lab.kernels.back().name = "other";
  lab.cases[1].kernel = 1;
  for (const unsigned jobs : {1u, 4u}) {
    GradeOptions options;
    options.jobs = jobs;
    const LabResult result =
        grade_labs(device, {{&lab, handed_in("// fake: endless 1\n")}}, options).front();
    CHECK(result.cases[0].skipped.empty());
    CHECK(result.cases[1].skipped.empty());
    CHECK(result.cases[2].skipped == "case empty did not end, so later cases were not run");
  }
}

TEST_CASE("printed text has one limit for all cases, and the result says if some was removed") {
  const LabResult quiet = graded("// fake: right prints 100\n");
  CHECK(quiet.message.empty());
  for (const CaseResult& each : quiet.cases) CHECK(each.printed.size() == 100 * each.runs.size());
  const LabResult loud = graded("// fake: right prints 50000\n");
  CHECK(loud.status == Verdict::passed);
  CHECK(loud.message == "the kernel printed more than 64 KiB; the rest is omitted");
  std::size_t kept = 0;
  for (const CaseResult& each : loud.cases) kept += each.printed.size();
  CHECK(kept == most_printed_bytes);
  CHECK(loud.cases.front().printed.size() == 50'000);
  CHECK(loud.cases.back().printed.empty());
}

TEST_CASE("each ending has its verdict") {
  CHECK(graded("// fake: timeout\n").status == Verdict::timeout);
  CHECK(graded("// fake: crash\n").status == Verdict::crashed);
  CHECK(graded("// fake: crash\n")
            .checks[0]
            .seen.sentence()
            .ends_with("crashed: the process was ended by SIGSEGV (3 of 3 cases fail)"));
  CHECK(graded("// fake: crash\n").checks[1].status == CheckResult::Status::failed);
  CHECK(graded("// fake: out_of_bounds 2\n").status == Verdict::failed);
  CHECK(graded("// fake: out_of_bounds 2\n").checks[0].line == 2);
  CHECK(graded("// fake: refused\n").status == Verdict::refused);
  const LabResult broken = graded("// fake: compile 2\n");
  CHECK(broken.status == Verdict::compile_error);
  CHECK(broken.message == "expected ';' before '}' token");
  CHECK(broken.checks[0].status == CheckResult::Status::not_run);
  const LabResult machine = graded("// fake: machine\n");
  CHECK(machine.status == Verdict::infrastructure_error);
  CHECK(machine.message == "the compiler g++ is not installed");
}

TEST_CASE("an export must have the required multiple") {
  LabSpec lab = sample_lab();
  lab.exports.front().multiple_of = 4;
  kernels::Compiled compiled;
  compiled.exports = {{"coarsening_factor", 16}};
  CHECK(exports_of(lab, compiled).value().at("coarsening_factor") == 16);
  compiled.exports = {{"coarsening_factor", 18}};
  CHECK(
      exports_of(lab, compiled).error().message ==
      "coarsening_factor is 18, but the lab allows multiples of 4 only. Export one from 2 to 256");
}

TEST_CASE("an export out of range is the student's mistake, and nothing is launched") {
  const LabResult lab = graded("// fake: right export coarsening_factor 1000\n");
  CHECK(lab.status == Verdict::failed);
  CHECK(lab.score == 0);
  CHECK(lab.message ==
        "coarsening_factor is 1000, but the lab allows 2 to 256. Export a value in that range");
  CHECK(lab.cases[0].skipped == lab.message);
  CHECK(lab.checks[0].seen.sentence() == lab.message);
  CHECK(lab.checks[0].line == 1);
  CHECK(graded("// fake: right export coarsening_factor 4294967295\n").message ==
        "coarsening_factor is 4294967295 (-1 as an unsigned number), but the lab allows 2 to 256. "
        "Export a value in that range");
  CHECK(graded("// fake: right export coarsening_factor 16\n").cases[1].grid == 13);
}

TEST_CASE("a variable with an export's name must be exported unless it has the default value") {
  for (const char* declared :
       {"const int coarsening_factor = 16;\n", "constexpr unsigned coarsening_factor{4};\n",
        "namespace a { __device__ const float coarsening_factor = 16; }\n"}) {
    const LabResult lab = graded(std::string("// fake: right\n") + declared);
    CHECK_MESSAGE(lab.status == Verdict::failed, declared);
    CHECK_MESSAGE(lab.score == 0, declared);
    CHECK_MESSAGE(lab.message ==
                      "`coarsening_factor` is not exported, so the launch does not use it. Write "
                      "extern \"C\" __device__ const unsigned int coarsening_factor = ...;",
                  declared);
    CHECK_MESSAGE(lab.checks[0].line == 2, declared);
  }
  CHECK(graded("// fake: right\nconst int coarsening_factor = 8;\n").status == Verdict::passed);
  CHECK(graded("// fake: right export coarsening_factor 16\nconst int coarsening_factor = 16;\n")
            .status == Verdict::passed);
}

TEST_CASE("quick runs the quick cases, and one for each check that has none of them") {
  LabSpec lab = sample_lab();
  CHECK(chosen_cases(lab, false) == std::vector<std::size_t>{0, 1, 2});
  CHECK(chosen_cases(lab, true) == std::vector<std::size_t>{0, 2});
  lab.checks[2].cases = {1};
  CHECK(chosen_cases(lab, true) == std::vector<std::size_t>{0, 1, 2});
  GradeOptions options;
  options.quick = true;
  CHECK(graded("// fake: right\n", options).score == 10);
}

TEST_CASE("the same seed gives the same report to the byte, another seed does not") {
  const LabSpec lab = sample_lab();
  const auto json = [&](std::uint64_t seed, unsigned jobs) {
    FakeDevice device;
    GradeOptions options;
    options.seed = seed;
    options.jobs = jobs;
    return to_json(
        grade(device, {{&lab, handed_in("// fake: lossy 1\n")}, {&lab, std::nullopt}}, options));
  };
  CHECK(json(1, 1) == json(1, 8));
  CHECK(json(1, 1) != json(2, 1));
}
