// Tests every message that a finding can have, word for word.
#include <doctest/doctest.h>

#include <regex>
#include <vector>

#include "kernels/emulator/memory/source_line.h"
#include "kernels/emulator/messages/memory_messages.h"
#include "kernels/emulator/messages/names.h"
#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/messages/race_messages.h"
#include "kernels/emulator/messages/source_files.h"
#include "kernels/emulator/messages/warp_messages.h"

namespace histolab::kernels::emulator {
namespace {

using enum AccessKind;

ThreadId thread(std::uint32_t x, std::uint32_t block = 0) { return {{block, 0, 0}, {x, 0, 0}}; }

Finding at(Space space, std::string variable, std::optional<std::int64_t> index, ThreadId one,
           int line = 0, std::optional<ThreadId> other = {}, int other_line = 0) {
  Finding finding;
  finding.space = space;
  finding.variable = std::move(variable);
  finding.index = index;
  finding.thread = one;
  finding.line = line;
  finding.other_thread = other;
  finding.other_line = other_line;
  return finding;
}

struct Row {
  std::string said, expected;
};

// Compares each message word for word. It also checks the style of each one. A message has a clause
// for the event and one with advice. It has no file name, no full stop at the end, and no internal
// terms of the emulator.
void check(const std::vector<Row>& rows) {
  static const std::regex unsuitable(
      R"(  |\.cu|\.$|^ | $|\bnull\b(?! pointer)|region|site|epoch|lane|observer|nan|[^\x20-\x7e])");
  for (const Row& row : rows) {
    CHECK(row.said == row.expected);
    CHECK_MESSAGE(
        (row.said.find("; ") != std::string::npos || row.said.find(". ") != std::string::npos),
        row.said);
    CHECK_MESSAGE(!std::regex_search(row.said, unsuitable), row.said);
  }
}

TEST_CASE("threads by their coordinates, as many as are not zero") {
  CHECK(describe(ThreadId{{0, 0, 0}, {0, 0, 0}}) == "thread 0 of block 0");
  CHECK(describe(ThreadId{{7, 0, 0}, {3, 0, 0}}) == "thread 3 of block 7");
  CHECK(describe(ThreadId{{0, 3, 0}, {1, 2, 0}}) == "thread (1, 2) of block (0, 3)");
  CHECK(describe(ThreadId{{1, 0, 2}, {0, 0, 5}}) == "thread (0, 0, 5) of block (1, 0, 2)");
}

TEST_CASE("elements have variable and index; unknown parts are left out") {
  CHECK(describe_element(at(Space::global, "histo", 4, thread(0))) == "histo[4]");
  CHECK(describe_element(at(Space::global, "histo", -1, thread(0))) == "histo[-1]");
  CHECK(describe_element(at(Space::shared, "total", {}, thread(0))) == "total");
  CHECK(describe_element(at(Space::global, "", 4, thread(0))) == "memory");
}

TEST_CASE("data races") {
  const auto race = [](AccessKind first, AccessKind second, Finding finding) {
    const bool same_block = finding.thread->block == finding.other_thread->block;
    const bool same_warp =
        same_block && finding.thread->thread.x / 32 == finding.other_thread->thread.x / 32;
    return data_race_message(finding, {first, second, same_block, same_warp});
  };
  const auto fenced = [](AccessKind first, AccessKind second, Finding finding) {
    return data_race_message(finding,
                             {.first = first,
                              .second = second,
                              .same_block = finding.thread->block == finding.other_thread->block,
                              .fences = true});
  };
  const auto update = [](AccessKind first, AccessKind second, Finding finding,
                         bool fences = false) {
    return data_race_message(
        finding, {.first = first, .second = second, .update = Update::one_line, .fences = fences});
  };
  const auto with = [](AccessKind first, AccessKind second, Finding finding, RaceFacts facts) {
    facts.first = first;
    facts.second = second;
    return data_race_message(finding, facts);
  };
  const RaceFacts computed{.first = load, .second = load, .update = Update::computed},
      guarded{.first = load, .second = load, .update = Update::guarded},
      stores_result{.first = load, .second = load, .stores_result = true};
  const auto in_block_scope = [](Finding finding) {
    return data_race_message(
        finding, {.first = atomic, .second = atomic, .same_block = false, .block_scope = true});
  };
  const auto at_y = [](std::uint32_t x, std::uint32_t y, std::uint32_t block_y = 0) {
    return ThreadId{{0, block_y, 0}, {x, y, 0}};
  };
  const Space g = Space::global, s = Space::shared;
  const std::string lost =
      " both update histo[4] without an atomic operation; one update is lost. Make the update one "
      "indivisible step, for example atomicAdd(&histo[4], increment)";
  const std::string last_wins =
      ", and nothing orders the two: the last write wins. Give each thread its own element, or "
      "combine the values in one atomic operation, such as atomicAdd or atomicMax";
  const std::string blocks =
      "; no barrier spans two blocks, and an atomic read may come too early as well. Read it in "
      "another launch, or in the last block to draw a ticket: __threadfence(), then atomicAdd on a "
      "counter";
  const std::string wipes =
      "; a plain write can wipe out atomic updates. Put __syncthreads() between the write and the "
      "atomic update. (An atomic write does not help: it would delete updates, too.)";
  const std::string stale =
      "; the value read may be out of date. If the read must see the final value, put "
      "__syncthreads() between them; otherwise use the value that the atomic function returns";
  const std::string warp =
      "; nothing orders the two. Put __syncthreads() between them: being in the same warp does not "
      "order them";
  const std::string behind =
      "; nothing orders the two. Put __syncthreads() between them: in a loop, at the end of its "
      "body; otherwise read into a variable, call __syncthreads(), then write";
  const std::string barrier =
      "; nothing orders the two. Put __syncthreads() between them, where every thread of the block "
      "reaches it";
  check({
      // An update on one line: its load against its store, the lower thread first.
      {update(store, load, at(g, "histo", 4, thread(17), 9, thread(3), 9)),
       "threads 3 and 17 of block 0" + lost},
      {update(load, store, at(g, "histo", 4, thread(3), 9, thread(17), 9)),
       "threads 3 and 17 of block 0" + lost},
      {update(store, volatile_load, at(g, "histo", 4, thread(3), 9, thread(40), 9)),
       "threads 3 and 40 of block 0" + lost},
      {update(store, load, at(g, "histo", 4, thread(1, 2), 9, thread(5, 1), 9)),
       "thread 5 of block 1 and thread 1 of block 2" + lost},
      {update(store, load, at(s, "total", {}, thread(1), 9, thread(0), 9)),
       "threads 0 and 1 of block 0 both update total without an atomic operation; one update is "
       "lost. Make the update one indivisible step, for example atomicAdd(&total, increment)"},
      // One line, but one thread reads the element that the other one writes.
      {race(load, store, at(s, "sum", 3, thread(1), 9, thread(40), 9)),
       "thread 1 of block 0 reads sum[3] (line 9) while thread 40 of block 0 writes it (line 9)" +
           behind},
      {race(store, load, at(g, "sum", 3, thread(1, 1), 9, thread(40), 9)),
       "thread 1 of block 1 writes sum[3] (line 9) while thread 40 of block 0 reads it (line 9)" +
           blocks},
      // An update on two lines.
      {with(store, load, at(g, "histo", 4, thread(17), 9, thread(3), 7), computed),
       "threads 3 and 17 of block 0 both read histo[4] (line 7) and write back what they computed "
       "from it (line 9); one update is lost. Make the two lines one indivisible step, for example "
       "atomicAdd(&histo[4], increment)"},
      {with(load, exchange, at(g, "histo", 4, thread(17, 1), 7, thread(3), 9), computed),
       "thread 3 of block 0 and thread 17 of block 1 both read histo[4] (line 7) and write back "
       "what they computed from it (line 9); one update is lost. Make the two lines one "
       "indivisible step, for example atomicAdd(&histo[4], increment)"},
      {with(load, store, at(s, "most", {}, thread(17), 7, thread(3), 8), guarded),
       "threads 3 and 17 of block 0 both read most (line 7) and write it (line 8) depending on the "
       "value; one of them may have read too early. Make the test and the write one indivisible "
       "step, for example atomicMax or atomicCAS"},
      // Two writes on one line.
      {race(store, store, at(g, "histo", 4, thread(3), 9, thread(17), 9)),
       "threads 3 and 17 of block 0 both write histo[4]" + last_wins},
      {race(store, store, at(g, "histo", 4, thread(3, 1), 9, thread(3, 0), 9)),
       "thread 3 of block 0 and thread 3 of block 1 both write histo[4]" + last_wins},
      // Two lines, in one block.
      {race(load, store, at(s, "h", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 reads h[2] (line 12) while thread 3 of block 0 writes it (line 9)" +
           barrier},
      {race(store, store, at(g, "out", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 writes out[2] (line 12) while thread 3 of block 0 writes it (line 9)" +
           barrier},
      {race(volatile_load, store, at(s, "h", 2, thread(4), 12, thread(3), 9)),
       "thread 4 of block 0 reads h[2] (line 12) while thread 3 of block 0 writes it (line 9)" +
           warp},
      {race(load, store, at(s, "h", 2, thread(4), 0, thread(3), 9)),
       "thread 4 of block 0 reads h[2] while thread 3 of block 0 writes it (line 9)" + warp},
      // A plain access against an atomic one.
      {race(atomic, load, at(s, "h", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 atomically updates h[2] (line 12) while thread 3 of block 0 reads it "
       "(line 9)" +
           barrier},
      {race(load, atomic, at(g, "out", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 reads out[2] (line 12) while thread 3 of block 0 atomically updates "
       "it (line 9)" +
           stale},
      {race(store, atomic, at(s, "h", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 writes h[2] (line 12) while thread 3 of block 0 atomically updates it "
       "(line 9)" +
           wipes},
      {race(exchange, store, at(g, "lock", 0, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 atomically updates lock[0] (line 12) while thread 3 of block 0 writes "
       "it (line 9); a plain write can wipe out atomic updates. If it releases a lock, use "
       "atomicExch after a __threadfence(); otherwise put __syncthreads() between them"},
      {race(atomic, store, at(g, "out", 2, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 atomically updates out[2] (line 12) while thread 3 of block 0 writes "
       "it (line 9)" +
           wipes},
      {with(store, compare_and_swap, at(g, "out", 2, thread(4), 9, thread(3), 9), stores_result),
       "thread 4 of block 0 writes out[2] (line 9) while thread 3 of block 0 atomically updates it "
       "(line 9); a plain write can wipe out atomic updates. The atomic function has already "
       "stored its result: remove the assignment"},
      {with(store, atomic, at(s, "h", 2, thread(4), 10, thread(3), 9), stores_result),
       "thread 4 of block 0 writes h[2] (line 10) while thread 3 of block 0 atomically updates it "
       "(line 9); a plain write can wipe out atomic updates. The atomic function has already "
       "stored its result: remove the assignment"},
      {with(exchange, atomic, at(g, "out", 2, thread(4), 10, thread(3), 9),
            {.first = exchange, .second = atomic, .stores_result = true, .first_overwrites = true}),
       "thread 4 of block 0 overwrites out[2] (line 10) and thread 3 of block 0 adds to it (line "
       "9); both are atomic, but nothing orders the two, so counts are lost. The addition has "
       "already stored its result: remove the overwrite"},
      {with(load, atomic, at(g, "out", 2, thread(4), 9, thread(3), 9), computed),
       "thread 4 of block 0 reads out[2] (line 9) while thread 3 of block 0 atomically updates it "
       "(line 9); the value read may be out of date. An atomic function reads the element itself: "
       "pass only the increment to atomicAdd"},
      // Memory that is freed.
      {race(release, store, at(g, "malloc@4", {}, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 frees malloc@4 (line 12) while thread 3 of block 0 writes it (line "
       "9)" +
           barrier},
      {race(release, atomic, at(g, "malloc@4", {}, thread(4), 9, thread(3), 9)),
       "thread 4 of block 0 frees malloc@4 (line 9) while thread 3 of block 0 atomically updates "
       "it (line 9)" +
           warp},
      {race(release, load, at(g, "new@4", {}, thread(4, 1), 12, thread(3), 9)),
       "thread 4 of block 1 frees new@4 (line 12) while thread 3 of block 0 reads it (line 9); "
       "nothing orders two blocks. Let each block free only memory that no other block uses"},
      {fenced(store, release, at(g, "malloc@4", 5, thread(40), 9, thread(3), 12)),
       "thread 40 of block 0 writes malloc@4[5] (line 9) while thread 3 of block 0 frees it (line "
       "12); nothing orders the two. Put __syncthreads() between them, or a __threadfence() after "
       "the first access and before the atomic operation that signals the other thread"},
      // Both threads have equally many coordinates.
      {race(store, store, at(g, "out", 2, at_y(0, 1), 9, at_y(3, 0), 9)),
       "threads (3, 0) and (0, 1) of block 0 both write out[2]" + last_wins},
      {race(store, store, at(g, "out", 2, at_y(3, 0, 1), 9, at_y(3, 0), 9)),
       "thread 3 of block (0, 0) and thread 3 of block (0, 1) both write out[2]" + last_wins},
      {race(load, store, at(s, "h", 2, at_y(0, 1), 12, at_y(1, 0), 9)),
       "thread (0, 1) of block 0 reads h[2] (line 12) while thread (1, 0) of block 0 writes it "
       "(line 9)" +
           warp},
      // In kernels with fences.
      {update(store, load, at(g, "histo", 4, thread(17), 9, thread(3), 9), true),
       "threads 3 and 17 of block 0" + lost +
           "; or, if a lock guards it, let all threads take the same lock, and call "
           "__threadfence() before they release it"},
      {fenced(load, store, at(g, "part", 4, thread(17, 1), 12, thread(3), 9)),
       "thread 17 of block 1 reads part[4] (line 12) while thread 3 of block 0 writes it (line 9); "
       "nothing orders the two. Between blocks you need a __threadfence() after the first access "
       "and before the atomic operation that signals the other thread"},
      {fenced(load, store, at(s, "h", 4, thread(40), 12, thread(3), 9)),
       "thread 40 of block 0 reads h[4] (line 12) while thread 3 of block 0 writes it (line 9); "
       "nothing orders the two. Put __syncthreads() between them, or a __threadfence() after the "
       "first access and before the atomic operation that signals the other thread"},
      // Atomic functions of block scope.
      {in_block_scope(at(g, "out", 2, thread(4, 1), 9, thread(3), 9)),
       "thread 4 of block 1 atomically updates out[2] (line 9) while thread 3 of block 0 "
       "atomically updates it (line 9); a function that ends in _block is atomic within one block "
       "only. Use the function without _block"},
      // Between blocks.
      {race(load, store, at(g, "out", 2, thread(4, 1), 12, thread(3), 9)),
       "thread 4 of block 1 reads out[2] (line 12) while thread 3 of block 0 writes it (line 9)" +
           blocks},
      {race(store, atomic, at(g, "out", 2, thread(4, 1), 12, thread(3), 9)),
       "thread 4 of block 1 writes out[2] (line 12) while thread 3 of block 0 atomically updates "
       "it (line 9); no barrier spans two blocks, so the write can wipe out updates. Set the "
       "initial value before the launch, and only add to it atomically in the kernel"},
      {race(store, store, at(g, "out", 2, thread(4, 1), 12, thread(3), 9)),
       "thread 4 of block 1 writes out[2] (line 12) while thread 3 of block 0 writes it (line 9); "
       "nothing orders two blocks. Give each block its own elements, or combine the values in one "
       "atomic operation, such as atomicAdd or atomicMax"},
  });
}

TEST_CASE("writers of the same value") {
  const std::string same =
      ", and nothing orders the two; all write the same value, so it does not matter which write "
      "comes last. Nothing needs to change as long as they do";
  check({
      {same_value_message(at(Space::shared, "any", {}, thread(5), 9, thread(3), 9)),
       "threads 3 and 5 of block 0 both write any" + same},
      {same_value_message(at(Space::global, "out", 4, thread(5, 1), 12, thread(3), 9)),
       "thread 5 of block 1 writes out[4] (line 12) and so does thread 3 of block 0 (line 9)" +
           same},
  });
}

TEST_CASE("indices out of bounds") {
  const auto region = [](std::string name, std::uint64_t bytes,
                         Region::Role role = Region::Role::input) {
    Region meant;
    meant.role = role;
    meant.name = std::move(name);
    meant.size = bytes;
    return meant;
  };
  const Region histo = region("histo", 28, Region::Role::output), data = region("data", 1024),
               one = region("total", 4, Region::Role::shared_static), none = region("data", 0);
  const auto out = [](AccessKind kind, const Region& meant, std::int64_t index,
                      std::uint32_t element_bytes) {
    return out_of_bounds_message(at(Space::global, meant.name, index, thread(3)), kind, 0x1000,
                                 &meant, element_bytes);
  };
  check({
      {out(store, histo, 7, 4),
       "thread 3 of block 0 writes histo[7], but histo has 7 elements, 0 to 6. Check how the index "
       "is computed, and test it "
       "before you use it"},
      {out(load, data, 1024, 1),
       "thread 3 of block 0 reads data[1024], but data has 1024 elements, 0 to 1023. Check the "
       "index against the length "
       "before you use it"},
      {out(atomic, one, 1, 4),
       "thread 3 of block 0 atomically updates total[1], but total has 1 element, index 0. Check "
       "how the index is computed, "
       "and test it before you use it"},
      {out(load, none, 0, 1),
       "thread 3 of block 0 reads data[0], but data has no elements here. Check the index against "
       "the length before you use it"},
      {out(atomic, histo, -3, 4),
       "thread 3 of block 0 atomically updates histo[-3], but histo has 7 elements, 0 to 6. The "
       "index is below zero: check "
       "what it is computed from (a signed char? a missing lower bound?)"},
      {out(atomic, histo, 0xfffffffd, 4),
       "thread 3 of block 0 atomically updates histo[4294967293], but histo has 7 elements, 0 to "
       "6. An index this large is an unsigned value that wrapped below zero: check the lower bound "
       "first"},
      {out(atomic, histo, 0x40000000, 4),
       "thread 3 of block 0 atomically updates histo[1073741824], but histo has 7 elements, 0 to "
       "6. An index this large is an unsigned value that wrapped below zero: check the lower bound "
       "first"},
      {out(atomic, histo, 0x3fffffff, 4),
       "thread 3 of block 0 atomically updates histo[1073741823], but histo has 7 elements, 0 to "
       "6. Check how the "
       "index is computed, and test it before you use it"},
      {out(load, region("data", 1u << 30), 1 << 30, 1),
       "thread 3 of block 0 reads data[1073741824], but data has 1073741824 elements, 0 to "
       "1073741823. Check the index against the length before you use it"},
      {out_of_bounds_message(at(Space::global, "", {}, thread(3)), load, 0x10, nullptr, 4),
       "thread 3 of block 0 reads address 0x10 (a null pointer), where the kernel has no memory. "
       "Check what the pointer is computed from"},
      {out_of_bounds_message(at(Space::global, "", {}, thread(3)), store, 4096, nullptr, 4),
       "thread 3 of block 0 writes address 0x1000, where the kernel has no memory. Check what the "
       "pointer is computed from"},
  });
}

TEST_CASE("writes to the input, uninitialized reads, misaligned accesses") {
  check({
      {write_to_input_message(at(Space::global, "table", 5, thread(3, 1), 9), true),
       "thread 3 of block 1 writes table[5], but table is constant: a kernel can only read it. "
       "Make it __device__ without const, or keep data that changes in shared memory"},
      {atomic_on_local_message(at(Space::local, "", 0, thread(3), 9)),
       "thread 3 of block 0 updates a local variable with an atomic function, which works only on "
       "shared and global memory. Did you mean another variable? Declare data that a block shares "
       "with __shared__; for a thread's own data a plain += is enough"},
      {others_local_message(at(Space::local, "", 0, thread(3), 9), load),
       "thread 3 of block 0 reads a local variable of another thread through its address; on a GPU "
       "that address is in the accessing thread's own local memory. Put data that threads share "
       "into __shared__ memory"},
      {write_to_input_message(at(Space::global, "data", 5, thread(3, 1), 9), false),
       "thread 3 of block 1 writes data[5], but data is the kernel's input and must stay as it is. "
       "Write results to the output only"},
      {too_many_releases_message(at(Space::global, "locks", {}, thread(3, 1), 9), 1024),
       "thread 3 of block 1 publishes its writes through a word of locks, but the emulator tracks "
       "only 1024 such words; from here on it may miss a race. Launch fewer threads, or use fewer "
       "locks"},
      {uninitialized_read_message(at(Space::shared, "h", 5, thread(3), 9), load, 4, 0, {0, 7}),
       "thread 3 of block 0 reads h[5] before anything was written there in this block. Shared "
       "memory starts with whatever was left in it: set every element first, even with fewer "
       "threads than elements, then __syncthreads()"},
      {uninitialized_read_message(at(Space::shared, "h", 5, thread(3), 9), load, 4, 0, {4, 7}),
       "thread 3 of block 0 reads h[5], which is uninitialized: this block has set only 4 of 7 "
       "elements. Set all 7, even with fewer threads: for (i = threadIdx.x; i < 7; i += "
       "blockDim.x), then __syncthreads()"},
      {uninitialized_read_message(at(Space::shared, "total", {}, thread(3), 9), atomic, 4, 0,
                                  {0, 1}),
       "thread 3 of block 0 atomically updates total before anything was written there in this "
       "block. Shared memory starts with whatever was left in it: let one thread set total, then "
       "__syncthreads()"},
      {uninitialized_read_message(at(Space::shared, "h", 1, thread(3), 9), load, 4, 3, {0, 7}),
       "thread 3 of block 0 reads h[1] before byte 3 of its 4 was written in this block. Shared "
       "memory starts with whatever was left in it: set every element first, even with fewer "
       "threads than elements, then __syncthreads()"},
      {misaligned_access_message(at(Space::shared, "s", 0, thread(3), 9), load, 8, 4),
       "thread 3 of block 0 reads 8 bytes at once at byte 4 of s, a misaligned address: it is not "
       "a multiple of 8. Start at an aligned element and handle the rest one by one"},
      {misaligned_access_message(at(Space::global, "data", 5, thread(3), 9), load, 16,
                                 std::nullopt),
       "thread 3 of block 0 reads 16 bytes at once at data[5], a misaligned address: it is not a "
       "multiple of 16. Start at an aligned element and handle the rest one by one"},
  });
}

TEST_CASE("barriers, endless loops, shared memory") {
  check({
      {barrier_divergence_message(at(Space::none, "", {}, thread(3), 9, thread(40)), true),
       "thread 3 of block 0 waits at the barrier (line 9), but thread 40 of block 0 has already "
       "exited. Every thread must reach every __syncthreads() the same number of times: do not put "
       "one in a branch, or in a loop that some threads leave earlier; guard work with `if` "
       "instead of returning early"},
      {barrier_divergence_message(at(Space::none, "", {}, ThreadId{{0, 0, 0}, {3, 0, 0}}, 9,
                                     ThreadId{{0, 0, 0}, {0, 1, 0}}, 12),
                                  false),
       "thread (3, 0) of block 0 waits at the barrier (line 9) while thread (0, 1) of block 0 "
       "waits at another one (line 12). All threads of a block must reach the same __syncthreads() "
       "the same number of times: move it out of branches, and out of loops that some threads "
       "leave earlier"},
      {barrier_divergence_message(at(Space::none, "", {}, thread(3), 9, thread(40), 12), false),
       "thread 3 of block 0 waits at the barrier (line 9) while thread 40 of block 0 waits at "
       "another one (line 12). All threads of a block must reach the same __syncthreads() the same "
       "number of times: move it out of branches, and out of loops that some threads leave "
       "earlier"},
      {barrier_divergence_message(
           at(Space::none, "", {}, thread(3), 9, ThreadId{{2, 0, 0}, {0, 0, 0}}), true, true),
       "thread 3 of block 0 waits at the barrier (line 9), but thread 0 of block 2 has already "
       "exited. Every thread of the grid must reach every grid.sync() the same number of times: "
       "guard work with `if` instead of returning early"},
      {barrier_divergence_message(
           at(Space::none, "", {}, thread(3), 9, ThreadId{{2, 0, 0}, {0, 0, 0}}, 12), false, true),
       "thread 3 of block 0 waits at the barrier (line 9) while thread 0 of block 2 waits at "
       "another one (line 12). All threads of the grid must reach the same grid.sync() the same "
       "number of times: move it out of branches, and out of loops that some threads leave "
       "earlier"},
      {too_many_grid_barriers_message(at(Space::none, "", {}, thread(3), 9), 99),
       "thread 3 of block 0 reached grid.sync() 99 times, and the kernel is still running. Check "
       "the condition that ends the loop around it"},
      {too_large_to_suspend_message(90, 600ull << 20, 512ull << 20),
       "at grid.sync() the first 90 blocks hold 600 MiB of local and shared memory, more than the "
       "emulator keeps for a grid (512 MiB). A GPU may run this "
       "launch: make local arrays smaller, or launch fewer threads"},
      {step_limit_message(at(Space::none, "", {}, thread(3), 9), 0),
       "thread 3 of block 0 keeps running without touching memory: its loop never ends, or runs "
       "far too long. Check that the loop's condition becomes false"},
      {sleeps_message(at(Space::none, "", {}, thread(3), 9)),
       "thread 3 of block 0 sleeps and wakes up forever. Check that the event it waits for can "
       "happen"},
      {step_limit_message(at(Space::none, "", {}, thread(3), 9), 1048576),
       "thread 3 of block 0 made more than 1048576 memory accesses and barriers and is still "
       "running. Check that the loop's index grows in every round, that the event it waits for can "
       "happen, and that no thread does all the work"},
  });
}

TEST_CASE("describe_lanes lists single lanes and ranges") {
  CHECK(describe_lanes(1) == "lane 0");
  CHECK(describe_lanes(1u << 31) == "lane 31");
  CHECK(describe_lanes(~0u) == "lanes 0-31");
  CHECK(describe_lanes(0xffff0000) == "lanes 16-31");
  CHECK(describe_lanes(0x28) == "lanes 3 and 5");
  CHECK(describe_lanes(0xffff0028) == "lanes 3, 5 and 16-31");
}

TEST_CASE("threads that wait for ever, or for another block") {
  const Finding polls = at(Space::global, "lock", {}, thread(3), 9, thread(0, 2), 14);
  check({
      {deadlock_message(polls, "of the others in its block, 222 poll too"),
       "thread 3 of block 0 polls lock forever, and no thread can change it: of the others in its "
       "block, 222 poll too. Release a lock on every path and before the next barrier; continue "
       "with the value that a compare-and-swap returned; do not wait for another block"},
      {waits_for_block_message(polls),
       "thread 3 of block 0 waits for lock, which thread 0 of block 2 would change (line 14); CUDA "
       "guarantees that blocks run at the same time only for a cooperative launch. Count finished "
       "blocks with atomicAdd, and let the last one do the rest"},
      {waits_for_earlier_block_message(polls),
       "thread 3 of block 0 waits for a block with a lower number (line 9), so the blocks ran in "
       "ascending order here. GPUs start blocks in that order, but CUDA does not guarantee it: let "
       "the blocks draw tickets with atomicAdd, and wait for earlier tickets"},
  });
}

TEST_CASE("memory that was freed, and local variables") {
  const Finding freed = at(Space::global, "malloc@6", 2, thread(3));
  Region region;
  region.freed_line = 8;
  using enum DeviceHeap::Freed;
  check({
      {use_after_free_message(freed, load, region),
       "thread 3 of block 0 reads malloc@6[2], but that memory was freed (line 8). Use it before "
       "you free it, or free it later"},
      {wrong_free_message(freed, {again, nullptr, 9}),
       "thread 3 of block 0 frees malloc@6, which was already freed (line 9). Let one thread free "
       "it, once"},
      {wrong_free_message(freed, {not_its_start, nullptr, 0}),
       "thread 3 of block 0 frees malloc@6 with a pointer into it. Free the pointer that malloc or "
       "new returned, not one that was advanced"},
      {wrong_free_message(at(Space::global, "", {}, thread(3)), {never_allocated, nullptr, 0}),
       "thread 3 of block 0 frees an address that neither malloc nor new returned. Free only "
       "memory that the kernel has allocated"},
      {uninitialized_global_message(freed, load, 0),
       "thread 3 of block 0 reads malloc@6[2] before anything was written there. Allocated memory "
       "holds whatever was left in it: write every element before you read it, for example in a "
       "loop over all of them"},
      {beyond_local_message(freed, store, 1),
       "thread 3 of block 0 writes 1 byte outside its local variables, with an index beyond the "
       "end of a local array. Keep the index below the array's number of elements"},
  });
}

TEST_CASE("calls of warp-level functions") {
  const Caller caller{thread(3, 1), "__shfl_sync", 3, 0xf0};
  const std::string calls = "thread 3 of block 1 calls __shfl_sync with the mask 0x000000f0",
                    vote =
                        " Let the whole warp vote before the branch: unsigned mask = "
                        "__ballot_sync(0xffffffff, condition)";
  const auto check_words = [](const std::string& said, const std::string& expected) {
    CHECK(said == expected);
  };
  const std::string must_contain = " The mask must contain every lane that makes the call.";
  check_words(own_lane_message(caller),
              calls + ", in which its own lane 3 is missing." + must_contain + vote);
  check_words(
      own_lane_message({thread(3, 1), "__syncwarp", 3, 0}),
      "thread 3 of block 1 calls __syncwarp with the mask 0x00000000, which names no lane." +
          must_contain + vote);
  check_words(width_message(caller, 3),
              "thread 3 of block 1 calls __shfl_sync with the width 3, so its result is undefined. "
              "Use 1, 2, 4, 8, 16 or 32");
  check_words(
      source_message(caller, 9, true),
      "thread 3 of block 1 (lane 3) reads the value of lane 9 with __shfl_sync, but that lane does "
      "not take part in the call. Read only from lanes in the mask 0x000000f0: pass the width if "
      "fewer than 32 lanes exchange values, and let the whole warp make the call");
  CHECK(source_message(caller, 9, false).find("but the block has no such thread") !=
        std::string::npos);
  const std::string must_call = " All lanes in a mask must make the same call.";
  check_words(in_vain_message(caller, 0x30, thread(4, 1), "waits at the barrier (line 9)"),
              calls +
                  " and waits for lanes 4-5, but thread 4 of block 1 waits at the barrier "
                  "(line 9)." +
                  must_call + vote);
  check_words(ended_message(caller, 0x10),
              calls + ", but lane 4 exited without making the call." + must_call + vote);
  check_words(no_such_lane_message(caller, 0xe0),
              calls +
                  ", but the block has no threads for lanes 5-7 of this warp, and CUDA does not "
                  "wait for them. Use a mask of lanes that exist: (1u << n) - 1 for the first n");
}

}  // namespace
TEST_CASE("lines of several files are named with their files") {
  const std::vector<std::string> files{"main.cu", "part.cuh"};
  Finding finding = at(Space::global, "malloc@" + line_text(line_number(2, 30)), 3, thread(1),
                       line_number(1, 12), thread(2), line_number(2, 7));
  finding.message = barrier_divergence_message(finding, false, false) + at_line(9);
  name_files(finding, files);
  CHECK(finding.file == "main.cu");
  CHECK(finding.line == 12);
  CHECK(finding.other_file == "part.cuh");
  CHECK(finding.other_line == 7);
  CHECK(finding.variable == "malloc@part.cuh:30");
  CHECK(finding.message.starts_with(
      "thread 1 of block 0 waits at the barrier (main.cu:12) while thread 2 of block 0 waits at "
      "another one (part.cuh:7). "));
  CHECK(finding.message.ends_with(" (line 9)"));
  CHECK(with_file_names("\x1f", files) == ":0");  // not from line_text()
  CHECK(line_text(12) == "12");
  CHECK(file_of_line(line_number(most_source_files, 1 << 30)) == most_source_files);
  CHECK(line_in_file(line_number(most_source_files, 1 << 30)) == (1 << line_bits) - 1);
}

}  // namespace histolab::kernels::emulator
