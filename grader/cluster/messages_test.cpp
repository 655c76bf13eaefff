#include "grader/cluster/messages.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include "grader/cluster/spool.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::cluster;

TEST_CASE("messages survive a round trip, with any bytes in a submission") {
  Chunk chunk{.number = 7, .phase = Phase::judge, .tries = 2, .items = {}};
  for (const char* text : {"int a;\n", "\xff\xfe not UTF-8", "\x01\x02\t\"\\", ""}) {
    Item& item = chunk.items.emplace_back();
    item.grading = "abc", item.lab = "01-race", item.work.kernel = text,
    item.work.problem = std::string{"a/"} + text, item.measured = "{}\n";
  }
  chunk.items.emplace_back().solution = true;
  chunk.items.back().work.sheet = "{}";
  const Result<Chunk> read = chunk_from_json(to_json(chunk), "chunk");
  REQUIRE_MESSAGE(read.ok(), read.error().message);
  REQUIRE(read->items.size() == 5);
  CHECK(read->number == 7);
  CHECK(read->phase == Phase::judge);
  CHECK(read->tries == 2);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(read->items[i].work.kernel == chunk.items[i].work.kernel);
    CHECK(read->items[i].work.sheet == chunk.items[i].work.sheet);
    CHECK(read->items[i].work.problem == chunk.items[i].work.problem);
    CHECK(read->items[i].measured == chunk.items[i].measured);
    CHECK(read->items[i].solution == chunk.items[i].solution);
  }

  Part part;
  part.spool = "0123", part.array = 3, part.index = 4, part.failure = "no memory",
  part.complete = true, part.seconds = 1.5;
  part.node.name = "node1", part.node.time = 1'700'000'000, part.node.obstacles = {"one", "two"};
  part.found = {{"g", {"passed", 9.5, "{}\n", 0.25, "node1"}},
                {"h", {}, "{\"multiprocessors\":1}"}};
  const Result<Part> again = part_from_json(to_json(part), "part");
  REQUIRE(again);
  CHECK(to_json(*again) == to_json(part));
  CHECK(again->found[0].outcome.node == "node1");

  Assignment assignment{.id = "00ff",
                        .version = "1",
                        .program = "/a b/histolab",
                        .program_hash = "h",
                        .labs_hash = "l",
                        .labs_folder = "/labs",
                        .labs = {"01-race"},
                        .seed = 5,
                        .device = "emulator",
                        .rubric = "{\"x\": 1}",
                        .unsafe = true,
                        .jobs = 4};
  CHECK(*assignment_from_json(to_json(assignment), "assignment") == assignment);
  CHECK(array_from_json(to_json(Array{3, "full", "g++ 12.2.0", {1, 2}}), "array")->chunks ==
        std::vector<std::size_t>{1, 2});
}

TEST_CASE("truncated and malformed messages are errors that name the file") {
  const std::string good = to_json(Array{3, "full", "g++ 12.2.0", {1, 2}});
  for (std::size_t length = 0; length + 1 < good.size(); ++length) {
    const Result<Array> read =
        array_from_json(std::string_view{good}.substr(0, length), "arrays/3.json");
    REQUIRE_FALSE(read);
    CHECK(read.error().message.starts_with("arrays/3.json: "));
  }
  CHECK_FALSE(chunk_from_json(good, "x"));
  CHECK_FALSE(array_from_json(
      R"({"schema": "histolab/array/1", "number": 1e300, "tier": "", "compiler": "", "chunks": []})",
      "x"));
  CHECK_FALSE(chunk_from_json(
      R"({"schema": "histolab/chunk/1", "number": 1, "phase": "whole", "tries": 0, "items": [{"grading": "", "lab": "", "solution": false, "kernel": [1e62],
                                  "sheet": null, "problem": "", "measured": ""}]})",
      "x"));
  CHECK_FALSE(array_from_json(R"({"schema": "histolab/array/1", "number": )" +
                                  std::string(100'000, '[') + std::string(100'000, ']') + "}",
                              "x"));
  CHECK_FALSE(part_from_json(R"({"schema": "histolab/part/1", "spool": 3})", "x"));
  CHECK_FALSE(chunk_from_json(
      R"({"schema": "histolab/chunk/1", "number": 1, "phase": "dance", "tries": 0, "items": []})",
      "x"));
}

TEST_CASE("a folder that does not answer is not gone") {
  const grader::testing::TemporaryFolder folder;
  const Spool spool{folder.at("slurm")};
  CHECK(spool.is_gone());
  REQUIRE(symlink("slurm", spool.folder().c_str()) == 0);  // reading it fails with ELOOP
  CHECK(spool.exists());
  CHECK_FALSE(spool.is_gone());
  CHECK_FALSE(spool.assignment());
}

TEST_CASE("a spool keeps its messages, and remove() leaves nothing") {
  const grader::testing::TemporaryFolder folder;
  Spool spool{folder.at("it's here")};
  CHECK_FALSE(spool.exists());
  Assignment wanted;
  wanted.program = "/opt/histolab's/bin/histolab", wanted.labs_folder = "/labs";
  const Result<Assignment> made = spool.make(wanted);
  REQUIRE_MESSAGE(made.ok(), made.error().message);
  CHECK(made->id.size() == 16);
  CHECK(spool.exists());
  CHECK(spool.job_name(*made, 3) == "histolab-" + made->id + "-3");
  CHECK(grader::testing::get(spool.script()).find(R"('/opt/histolab'\''s/bin/histolab')") !=
        std::string::npos);
  REQUIRE(spool.put(Chunk{.number = 12, .items = {}}));
  REQUIRE(spool.put(Chunk{.number = 3, .items = {}}));
  CHECK(*spool.chunks() == std::vector<std::size_t>{3, 12});
  CHECK(spool.chunk(12)->number == 12);
  CHECK_FALSE(spool.chunk(4));
  Part part;
  part.array = 1;
  REQUIRE(spool.put(part, "node1-5"));
  grader::testing::put(spool.folder() + "/results/.half.json.7.tmp", "{");
  CHECK(spool.parts()->size() == 1);
  CHECK_FALSE(spool.probe()->has_value());
  REQUIRE(spool.put_probe({part, part}));
  CHECK((*spool.probe())->size() == 2);
  CHECK_FALSE(spool.is_cancelled());
  REQUIRE(spool.cancel());
  CHECK(spool.is_cancelled());
  REQUIRE(spool.take_cancel_back());
  CHECK_FALSE(spool.is_cancelled());
  grader::testing::put(spool.folder() + "/logs/2-5.log", "one\nhistolab: no memory\n\n");
  CHECK(spool.last_log_line(2, 5) == "histolab: no memory");
  CHECK(spool.last_log_line(2, 6).empty());
  spool.remove();
  CHECK_FALSE(spool.exists());
  CHECK_FALSE(spool.parts());
}
