#include "viewer/model/access_log.h"

#include <doctest/doctest.h>

using namespace histolab::viewer;

namespace {

Access access(WarpId warp, int line, const char* kind, const char* variable, std::uint32_t offset) {
  Access a;
  a.block = warp.block;
  a.warp = warp.warp;
  a.line = line;
  a.kind = kind;
  a.variable = variable;
  a.space = "global";
  a.bytes = 4;
  a.active = 1;
  a.offset[0] = offset;
  return a;
}

Begin begin(const char* kernel = "a.cu") {
  Begin b;
  b.kernel = kernel, b.device_kind = "emulator", b.source = "first\n  second\nthird\n",
  b.bin_labels = {"a-d", "e-h"};
  return b;
}

LiveRun sample() {
  LiveRun run;
  run.apply(begin());
  run.apply(Accesses{{access({0, 0}, 2, "load", "data", 0), access({0, 0}, 3, "atomic", "histo", 4),
                      access({0, 1}, 2, "load", "data", 128)}});
  run.apply(Accesses{{access({3, 0}, 2, "load", "data", 256)}});
  return run;
}

Finished finished(const char* ending = "completed") {
  Finished done;
  done.report.ending = ending;
  return done;
}

}  // namespace

TEST_CASE("access log: accesses are found by warp and by line, in program order") {
  AccessLog log;
  log.follow(sample());
  REQUIRE(log.rows().size() == 4);
  CHECK(log.accesses_of({0, 0}, {}) == std::vector<std::size_t>{0, 1});
  CHECK(log.accesses_of({0, 0}, {"", 3}) == std::vector<std::size_t>{1});
  CHECK(log.accesses_of({0, 1}, {"", 3}).empty());
  CHECK(log.accesses_of({9, 9}, {}).empty());
  REQUIRE(log.lines().size() == 2);
  CHECK(log.lines()[0].place == SourcePlace{"", 2});
  CHECK(log.lines()[0].accesses == 3);
  CHECK(log.lines()[0].text == "second");
}

TEST_CASE("access log: a line of a program is one of its file") {
  Begin of_program = begin();
  of_program.program = "main.cu";
  of_program.sources = {{"main.cu", "int a;\n"}, {"add.h", "int b;\n  int c;\n"}};
  Access in_main = access({0, 0}, 1, "load", "data", 0),
         in_header = access({0, 1}, 1, "load", "data", 4);
  in_main.file = "main.cu", in_header.file = "add.h";
  LiveRun run;
  run.apply(of_program);
  run.apply(Accesses{{in_main, in_header}});
  AccessLog log;
  log.follow(run);
  REQUIRE(log.lines().size() == 2);
  CHECK(log.lines()[0].place == SourcePlace{"add.h", 1});
  CHECK(log.lines()[0].text == "int b;");
  CHECK(log.lines()[1].text == "int a;");
  CHECK(log.accesses_of({0, 0}, {"main.cu", 1}).size() == 1);
  CHECK(log.accesses_of({0, 0}, {"add.h", 1}).empty());
  CHECK(log.nearest({0, 0}, {"add.h", 1}) == WarpId{0, 1});
}

TEST_CASE("access log: later events are added") {
  LiveRun run = sample();
  AccessLog log;
  log.follow(run);
  const std::uint64_t before = log.revision();
  log.follow(run);
  CHECK(log.revision() == before);
  run.apply(Accesses{{access({3, 1}, 3, "atomic", "histo", 0)}});
  log.follow(run);
  CHECK(log.revision() != before);
  CHECK(log.rows().size() == 5);
}

TEST_CASE("access log: the nearest warp with an access in a line") {
  AccessLog log;
  log.follow(sample());
  CHECK(log.nearest({0, 1}, {}) == WarpId{0, 1});
  CHECK(log.nearest({0, 7}, {}) == WarpId{0, 0});  // of the same block
  CHECK(log.nearest({0, 1}, {"", 3}) == WarpId{0, 0});
  CHECK(log.nearest({3, 9}, {"", 2}) == WarpId{3, 0});
  CHECK(log.nearest({8, 0}, {"", 2}) == WarpId{0, 0});
  CHECK_FALSE(log.nearest({0, 0}, {"", 77}));
}

TEST_CASE("access log: a written variable as long as the histogram holds bins") {
  AccessLog log;
  LiveRun run = sample();
  log.follow(run);
  CHECK(log.holds_bins("histo"));
  CHECK_FALSE(log.holds_bins("data"));
  CHECK_FALSE(log.holds_bins("nothing"));
  run.apply(Accesses{{access({0, 0}, 3, "store", "histo", 8)}});
  log.follow(run);
  CHECK_FALSE(log.holds_bins("histo"));
  CHECK(log.last_element("histo") == 2);
}

TEST_CASE("access log: a launch stays until the next one of its kernel has accesses") {
  LiveRun run = sample();
  AccessLog log;
  log.follow(run);
  run.apply(begin());
  log.follow(run);
  CHECK(log.rows().size() == 4);
  run.apply(Accesses{{access({0, 0}, 2, "load", "data", 0)}});
  log.follow(run);
  CHECK(log.rows().size() == 1);
  run.apply(begin("b.cu"));
  log.follow(run);
  CHECK(log.empty());
}

TEST_CASE("access log: a launch that ends without accesses shows none") {
  LiveRun run = sample();
  AccessLog log;
  log.follow(run);
  run.apply(begin());
  run.apply(finished());
  log.follow(run);
  CHECK(log.empty());
}

TEST_CASE("access log: says why there is nothing to show") {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  LiveRun run;
  CHECK(has(why_no_accesses(run), "Run a kernel"));
  run.apply(begin());
  CHECK(has(why_no_accesses(run), "no accesses yet"));
  run.apply(finished("compile_error"));
  CHECK(has(why_no_accesses(run), "does not compile"));
  run.apply(begin());
  run.apply(finished());
  CHECK(has(why_no_accesses(run), "--accesses"));
  Begin gpu = begin();
  gpu.device_kind = "gpu";
  run.apply(gpu);
  CHECK(has(why_no_accesses(run), "GPU"));
}
