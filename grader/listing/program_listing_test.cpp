#include "grader/listing/program_listing.h"

#include <doctest/doctest.h>

#include "grader/listing/listing_html.h"

using namespace histolab;
using namespace histolab::grader;

namespace {

kernels::Finding finding(const std::string& file, int line, const std::string& message) {
  kernels::Finding made;
  made.kind = kernels::FindingKind::data_race;
  made.file = file, made.line = line, made.message = message;
  return made;
}

// A launch of a kernel in two files: line 2 of main.cu, and line 1 of count.h.
kernels::Observation observed() {
  kernels::Observation made;
  made.files = {"count.h", "main.cu"};
  made.lines.resize(3);
  made.lines[0].line = 1, made.lines[0].file = 1;
  made.lines[0].counters.global_atomic = {3, 12, 384, 96};
  made.lines[1].line = 2, made.lines[1].file = 2;
  made.lines[1].counters.global_load = {2, 8, 256, 64};
  made.lines[2].line = 0, made.lines[2].file = 0;
  made.lines[2].counters.global_load = {1, 4, 128, 32};
  return made;
}

ExplainedProgram sample() {
  ExplainedProgram made{.name = "main.cu", .what = "2 launches"};
  add_launch(made, 1, observed());
  kernels::Observation second = observed();
  second.ending = kernels::Ending::timed_out;
  second.ending_detail = "a loop";
  add_launch(made, 2, second);
  made.texts = {{"main.cu", "int main() {\n  read();\n}\n"}, {"count.h", "count();\n"}};
  made.findings = {finding("count.h", 1, "threads 0 and 1 count at once")};
  made.findings.back().other_line = 2;
  made.findings.back().other_file = "main.cu";
  return made;
}

constexpr TextOptions plain{.color = false, .next_steps = false, .report_path = {}, .width = 80};

}  // namespace

TEST_CASE("a program's listing has each file with the sum of its launches") {
  CHECK(listing(sample(), plain) ==
        R"(main.cu: 2 launches
launch 2: timed_out: a loop

reqs: requests of warps to memory; sect: 32-byte sectors per global request;
conf: shared bank conflicts; lane: active of 32; same: most on one address

reqs sect conf lane same
                          1 | int main() {
   4    4        32       2 !   read();
  ! data_race: see count.h:1
                          3 | }
   2    4        32           elsewhere, line unknown
   6    4        32           in all

count.h
reqs sect conf lane same
   6    4        32       1 ! count();
  ! data_race: threads 0 and 1 count at once
   6    4        32           in all
)");
}

TEST_CASE("a file whose text is missing is left out") {
  ExplainedProgram program = sample();
  program.texts.erase("count.h");
  const std::vector<Annotated> files = annotated_files(program);
  REQUIRE(files.size() == 1);
  CHECK(files[0].file == "main.cu");
  REQUIRE(files[0].elsewhere);
  CHECK(files[0].elsewhere->requests == 2);
  CHECK(files[0].all.requests == 6);
}

TEST_CASE("the page of a program has a table per file") {
  const std::string page = listing_html(sample());
  CHECK(page.find("<h1>main.cu</h1>") != std::string::npos);
  CHECK(page.find("<h1>count.h</h1>") != std::string::npos);
  CHECK(page.find("timed_out: a loop") != std::string::npos);
  CHECK(page.find("data_race: see count.h:1") != std::string::npos);
}
