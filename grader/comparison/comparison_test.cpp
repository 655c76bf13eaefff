#include "grader/comparison/comparison.h"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "grader/comparison/comparison_reasons.h"
#include "grader/testing/files.h"
#include "grader/words/words.h"

using namespace histolab;
using namespace histolab::grader;
using namespace histolab::grader::testing;
using reference::Counters;

namespace {

// A correct launch of a million letters with a modelled time of `us` microseconds, bound by
// `bound_by`.
ComparedLaunch launch(const std::string& label, double us, std::string_view bound_by,
                      const Counters& totals = {}) {
  RunReport run;
  run.version = "0.0.0", run.device_kind = "fake", run.device_name = "tests only",
  run.sandbox = "none";
  run.lab = label + "-lab", run.kernel_path = "labs/" + label + "-lab/solution.cu",
  run.compiled = true;
  CaseResult& result = run.result;
  result.dataset = "english", result.length = 1'000'000, result.grid = 4, result.block = 256;
  result.correct = true;
  result.totals = totals;
  result.counters = reference::values(totals);
  result.runs.push_back({.histogram = {1, 1, 1, 1, 1, 1, 1},
                         .updates_expected = 800'000,
                         .counters = result.counters});
  reference::TimeEstimate estimate;
  estimate.terms = {{bound_by, us * 1e3}};
  estimate.bound_by = bound_by, estimate.total_ns = us * 1e3;
  result.modelled = ModelledTime{"h200", "NVIDIA H200", estimate};
  return {label, run};
}

ComparedLaunch measured(const std::string& label, double low_ms, double median_ms, double high_ms) {
  ComparedLaunch made = launch(label, 1, "atomics");
  made.run.device_kind = "gpu", made.run.device_name = "NVIDIA H200";
  made.run.result.modelled.reset();
  made.run.result.timing = kernels::Timing{.median_ms = median_ms,
                                           .low_ms = low_ms,
                                           .high_ms = high_ms,
                                           .samples_ms = {median_ms},
                                           .throttled_by = {}};
  return made;
}

ComparedLaunch wrong(ComparedLaunch made, double expected, double got) {
  made.run.result.correct = false;
  made.run.result.mismatches.push_back({1, 2, expected, got});
  return made;
}

Counters counters(const std::function<void(Counters&)>& fill) {
  Counters made;
  made.blocks = 4, made.threads = 1024, made.block_size = 256;
  fill(made);
  return made;
}

std::string sentence(const ComparedLaunch& a, const ComparedLaunch& b) {
  return compared(a, b).sentence;
}

}  // namespace

TEST_CASE("each reason applies to its example, with the expected words") {
  struct Row {
    std::string_view bound_by;
    std::function<void(Counters&)> slow, fast;
    std::string_view words;
  };
  const std::map<std::string_view, Row> rows = {
      {"fewer-atomics",
       {"atomics", [](Counters& c) { c.global_contention.updates = 1'048'576; },
        [](Counters& c) {
          c.global_contention.updates = 7168, c.shared_contention.updates = 1'048'576;
        },
        "02 makes 1 048 576 atomic updates in global memory, 04 makes 7 168 after counting in "
        "shared memory"}},
      {"less-contention",
       {"atomics",
        [](Counters& c) {
          c.global_contention.updates = 320, c.global_atomic.requests = 10,
          c.global_contention.requests_of_degree[31] = 10;
        },
        [](Counters& c) {
          c.global_contention.updates = 320, c.global_atomic.requests = 10,
          c.global_contention.requests_of_degree[7] = 10;
        },
        "lanes of a warp that update the same word of global memory are serialized, 32 of them on "
        "average in 02, 8 in 04"}},
      {"fewer-swaps",
       {"swaps", [](Counters& c) { c.global_swaps.requests = 5000; },
        [](Counters& c) { c.shared_swaps.requests = 500; },
        "02 makes 5 000 compare-and-swap requests, and those on the same word are repeated, 04 "
        "makes 500"}},
      {"less-contended-swaps",
       {"swaps",
        [](Counters& c) {
          c.global_swaps = {100, 100, 3200};
        },
        [](Counters& c) {
          c.global_swaps = {100, 100, 400};
        },
        "of the lanes of a warp that swap the same word, all but one repeat the swap: 32 on "
        "average in 02, 4 in 04"}},
      {"fewer-plain-stores",
       {"plain_updates", [](Counters& c) { c.global_store.requests = 300; }, [](Counters&) {},
        "02 makes 300 store requests to global memory, whose lines move between the "
        "multiprocessors, 04 makes none"}},
      {"coalesced",
       {"l2", [](Counters& c) { c.global_load.requests = 10, c.global_load.sectors = 320; },
        [](Counters& c) { c.global_load.requests = 10, c.global_load.sectors = 10; },
        "a warp's load reads 32 sectors of 32 bytes in 02, 1 in 04: the closer together its lanes "
        "read, the fewer sectors"}},
      {"fewer-sectors",
       {"dram", [](Counters& c) { c.global_load.requests = 20, c.global_load.sectors = 40; },
        [](Counters& c) { c.global_load.requests = 10, c.global_load.sectors = 20; },
        "02 loads 40 sectors of 32 bytes, 04 loads 20"}},
      {"fewer-turns",
       {"load_store", [](Counters& c) { c.shared_contention.requests_of_degree[31] = 100; },
        [](Counters& c) {
          c.shared_contention.requests_of_degree[31] = 100, c.shared_increments.degrees = 3200;
        },
        "additions to the same word of shared memory are serialized 3 200 times in 02, 0 in 04 "
        "(additions of the constant 1 are combined and never serialized)"}},
      {"fewer-bank-conflicts",
       {"load_store", [](Counters& c) { c.shared_load.bank_conflicts = 3100; },
        [](Counters& c) { c.shared_atomic.bank_conflicts = 31; },
        "02 has 3 100 bank conflicts in shared memory, 04 has 31"}},
      {"fewer-requests",
       {"issue", [](Counters& c) { c.global_load.requests = 32, c.shared_atomic.requests = 32; },
        [](Counters& c) { c.global_load.requests = 16; },
        "02 makes 64 requests to memory, each with further instructions, 04 makes 16"}},
      {"loads-shared-out",
       {"latency", [](Counters& c) { c.global_load.requests = 1024, c.busiest.most.global = 1024; },
        [](Counters& c) { c.global_load.requests = 1024, c.busiest.most.global = 32; },
        "the busiest warp of 02 makes 1 024 of 1 024 load requests, one after the other, "
        "that of 04 makes 32 of 1 024"}},
      {"fewer-loads",
       {"latency", [](Counters& c) { c.global_load.requests = 64; },
        [](Counters& c) { c.global_load.requests = 16; },
        "02 makes 64 load requests to global memory, and a warp waits for each, 04 makes 16"}},
      {"more-threads",
       {"latency", [](Counters& c) { c.threads = 2048; }, [](Counters& c) { c.threads = 65'536; },
        "02 launches 2 048 threads, too few to hide the latency of loads, 04 launches 65 536"}},
      {"more-warps",
       {"latency", [](Counters& c) { c.dynamic_shared_bytes = 200'000; }, [](Counters&) {},
        "a multiprocessor holds 8 warps of 02 and 64 of 04, and fewer warps hide less latency"}},
      {"fewer-barriers",
       {"latency", [](Counters& c) { c.barriers = 96; }, [](Counters& c) { c.barriers = 32; },
        "02 makes 96 arrivals of warps at barriers, 04 makes 32"}},
      {"fewer-blocks",
       {"blocks", [](Counters& c) { c.blocks = 4096; }, [](Counters& c) { c.blocks = 256; },
        "02 starts 4 096 blocks, and starting a block takes time, 04 starts 256"}},
  };
  std::set<std::string_view> ids;
  for (const Reason& reason : reasons()) {
    CAPTURE(reason.id);
    CHECK(ids.insert(reason.id).second);
    REQUIRE_MESSAGE(rows.contains(reason.id), "a reason without a test");
    const Row& row = rows.at(reason.id);
    const ComparedLaunch slow = launch("02", 300, row.bound_by, counters(row.slow)),
                         fast = launch("04", 100, "issue", counters(row.fast));
    const Reason* found = reason_of(slow, fast);
    REQUIRE(found != nullptr);
    CHECK(found->id == reason.id);
    CHECK(found->words(slow, fast) == row.words);
    CHECK(sentence(slow, fast) ==
          "04 is 3x faster (modelled, H200): " + std::string(row.words) + ".");
    CHECK(sentence(fast, slow) == sentence(slow, fast));
    // No reason applies if the bound is another term, or if both launches have the same cost.
    CHECK(reason_of(launch("02", 300, "launch", counters(row.slow)), fast) == nullptr);
    CHECK(reason_of(slow, launch("04", 100, "issue", counters(row.slow))) == nullptr);
  }
  CHECK(ids.size() == rows.size());
}

TEST_CASE("atomics on one word are reported as such") {
  ComparedLaunch slow = launch("02", 300, "atomics",
                               counters([](Counters& c) { c.global_contention.updates = 1000; }));
  const ComparedLaunch fast =
      launch("04", 100, "atomics", counters([](Counters& c) { c.global_contention.updates = 10; }));
  slow.run.result.pressure.push_back({.variable = "histo",
                                      .shared = false,
                                      .updates = 1000,
                                      .elements = 7,
                                      .uncounted = 0,
                                      .top = {{3, 640}, {1, 100}}});
  CHECK(sentence(slow, fast) ==
        "04 is 3x faster (modelled, H200): 02 makes 1 000 atomic updates in global memory, up to "
        "640 of them on one word, 04 makes 10.");
  slow.run.result.pressure[0].top = {{3, 1000}};
  CHECK(sentence(slow, fast)
            .find("1 000 atomic updates in global memory, all of them on one word, 04") !=
        std::string::npos);
}

TEST_CASE("if no reason applies, the terms are named") {
  CHECK(sentence(launch("02", 300, "atomics"), launch("04", 100, "launch")) ==
        "04 is 3x faster (modelled, H200): 02 is bound by atomic updates in global memory, 04 by "
        "the launch itself.");
  CHECK(sentence(launch("02", 12345, "dram"), launch("04", 1, "dram")) ==
        "04 is 12 345x faster (modelled, H200): both are bound by traffic from DRAM.");
  CHECK(words_of_term("latency") == "waiting for loads and barriers");
}

TEST_CASE("times that differ by less than their uncertainty are alike") {
  CHECK(sentence(launch("02", 110, "atomics"), launch("04", 100, "atomics")) ==
        "02 and 04 take about as long (modelled, H200): they are 1.1x apart, and the model is "
        "typically off by 1.15x.");
  CHECK(sentence(launch("02", 116, "dram"), launch("04", 100, "dram"))
            .starts_with("04 is 1.16x faster (modelled"));
  CHECK(sentence(measured("02", 1.0, 1.1, 1.2), measured("04", 0.9, 1.0, 1.05)) ==
        "02 and 04 take about as long (measured, H200): they are 1.1x apart, and the 95 % "
        "intervals of their medians overlap.");
  CHECK(sentence(measured("02", 1.08, 1.1, 1.2), measured("04", 0.9, 1.0, 1.05)) ==
        "04 is 1.1x faster (measured, H200): omit --device to see the reason in "
        "the emulator's counters.");
}

TEST_CASE("wrong results come first: a wrong launch is never faster") {
  const ComparedLaunch right = launch("02", 300, "atomics"), quick = launch("01", 10, "launch");
  CHECK(sentence(wrong(quick, 800'000, 300'000), right) ==
        "01 loses 500 000 of 800 000 updates, so its time is meaningless; 02 is right.");
  CHECK(sentence(right, wrong(quick, 5, 9)) ==
        "01 counts 4 extra updates, so its time is meaningless; 02 is right.");
  CHECK(sentence(wrong(right, 9, 8), wrong(wrong(quick, 5, 9), 2, 1)) ==
        "02 loses 1 of 800 000 updates, and 01 loses 1 of 800 000 updates and counts 4 extra "
        "updates: their times are meaningless.");
  ComparedLaunch broken = quick;
  broken.run.compiled = false;
  CHECK(sentence(broken, right) == "01 does not compile, so its time is meaningless; 02 is right.");
  broken.run.refused = true;
  CHECK(sentence(broken, right).starts_with("01 was refused, "));
  ComparedLaunch endless = quick;
  endless.run.result.ending = kernels::Ending::timed_out,
  endless.run.result.ending_detail = "a loop", endless.run.result.correct = false;
  CHECK(sentence(endless, right) ==
        "01 did not end normally: timed_out (a loop), so its time is meaningless; 02 is right.");
  const Comparison both = compared(wrong(quick, 2, 1), right);
  CHECK(nlohmann::json::parse(to_json(both))["time"]["faster"] == nullptr);
}

TEST_CASE("the reason for a missing time is reported") {
  ComparedLaunch a = launch("02", 300, "atomics"), b = launch("04", 300, "atomics");
  b.run.result.modelled.reset(),
      b.run.result.modelled_reason = "there is no measured profile of t4";
  CHECK(sentence(a, b) ==
        "02 and 04 are both right, but have no time: there is no measured profile of t4.");
  CHECK_FALSE(compared(a, b).time);
  CHECK(nlohmann::json::parse(to_json(compared(a, b)))["time_reason"] ==
        "there is no measured profile of t4");
}

TEST_CASE("counters: only different ones, the most different first") {
  const auto both = compared(
      launch("02", 300, "atomics", counters([](Counters& c) {
               c.global_load.requests = 1000, c.barriers = 8, c.global_store.requests = 100;
             })),
      launch("04", 100, "atomics", counters([](Counters& c) {
               c.global_load.requests = 1005, c.barriers = 4, c.global_store.requests = 0;
             })));
  REQUIRE(both.counters.size() == 2);  // 5 loads in 1000 are not worth a row
  CHECK(both.counters[0].title == "global store requests");
  CHECK_FALSE(both.counters[0].ratio());
  CHECK(both.counters[1].name == "histolab__barriers.sum");
  CHECK(*both.counters[1].ratio() == 2);
}

TEST_CASE("labels name the difference") {
  const auto label = [](RunReport a, RunReport b) { return labels_of(a, b); };
  using Pair = std::pair<std::string, std::string>;
  RunReport one = launch("02", 1, "dram").run, two = launch("04", 1, "dram").run;
  CHECK(label(one, two) == Pair{"02", "04"});
  two = one;
  CHECK(label(one, two) == Pair{"A", "B"});
  two.kernel_path = "labs/02-lab/attempts/off-by-one/kernel.cu";
  CHECK(label(one, two) == Pair{"solution", "off-by-one"});
  two.result.dataset = "/data/some.txt";
  CHECK(label(one, two) == Pair{"english", "some.txt"});
  two.result.dataset = "text:this/that";
  CHECK(label(one, two) == Pair{"english", "text:this/that"});
  two.result.dataset = "/other/english";
  CHECK(label(one, two) == Pair{"A", "B"});
}

TEST_CASE("the text and the JSON of a comparison") {
  const auto busy = counters([](Counters& c) {
    c.global_load = {32'768, 32'768, 1'048'576, 1'048'576},
    c.global_atomic = {32'768, 32'768, 4'194'304, 811'801};
    c.global_contention.updates = 811'801, c.global_contention.requests_of_degree[5] = 32'768;
  });
  const auto private_copies = counters([](Counters& c) {
    c.global_load = {32'768, 32'768, 1'048'576, 1'048'576},
    c.global_atomic = {4096, 4096, 114'688, 28'672}, c.barriers = 65'536;
    c.global_contention.updates = 28'672, c.global_contention.requests_of_degree[0] = 4096,
    c.shared_contention.updates = 811'801;
  });
  const Comparison both =
      compared(launch("02", 153, "atomics", busy), launch("04", 7.19, "atomics", private_copies));
  const std::string text = to_text(both, {});
  CHECK(matches_golden("compare.txt", text));
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) CHECK(columns(line) <= 80);
  CHECK(text.find('\033') == std::string::npos);
  CHECK(matches_golden("compare.json", to_json(both)));
}
