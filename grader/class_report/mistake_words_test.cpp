// Names of mistakes, made from the emulator's real messages, so that a changed wording fails here.
#include "grader/class_report/mistake_words.h"

#include <doctest/doctest.h>

#include "kernels/emulator/messages/memory_messages.h"
#include "kernels/emulator/messages/progress_messages.h"
#include "kernels/emulator/messages/race_messages.h"

using namespace histolab;
using namespace histolab::class_report;
using namespace histolab::kernels::emulator;
using kernels::Finding;
using kernels::FindingKind;
using kernels::Space;

namespace {

// An access to an element of `variable` by thread 3 in line 12, in conflict with one by thread 0 in
// `other_line`, of the same or of another block.
Finding finding_of(FindingKind kind, Space space, const std::string& variable,
                   std::int64_t index = 2, int other_line = 15, bool same_block = true) {
  Finding finding;
  finding.kind = kind, finding.space = space, finding.variable = variable, finding.index = index,
  finding.line = 12, finding.other_line = other_line;
  finding.thread = kernels::ThreadId{{0, 0, 0}, {3, 0, 0}},
  finding.other_thread = kernels::ThreadId{{same_block ? 0u : 1u, 0, 0}, {0, 0, 0}};
  return finding;
}

std::string called(Finding finding, const std::string& message) {
  CourseWords words;
  words.learn("data length histo");
  finding.message = message;
  return mistake_of(finding, words);
}

std::string race(const RaceFacts& facts, Space space = Space::global, bool one_line = false) {
  const Finding finding =
      finding_of(FindingKind::data_race, space, space == Space::global ? "histo" : "janes_bins", 2,
                 one_line ? 12 : 15, facts.same_block);
  return called(finding, data_race_message(finding, facts));
}

std::string stray(std::int64_t index, Region::Role role, std::uint64_t size = 28) {
  Region region;
  region.role = role, region.size = size;
  const Finding finding = finding_of(FindingKind::out_of_bounds, Space::global,
                                     role == Region::Role::input ? "data" : "histo", index);
  return called(finding, out_of_bounds_message(finding, AccessKind::load, 0, &region, 4));
}

}  // namespace

TEST_CASE("races are distinguished by the two threads' accesses") {
  using enum AccessKind;
  CHECK(race({.first = load, .second = store, .update = Update::one_line}, Space::global, true) ==
        "data race on histo: updated without an atomic operation");
  CHECK(race({.first = load, .second = store, .update = Update::computed}) ==
        "data race on histo: updated in two steps, a read and a write");
  CHECK(race({.first = load, .second = store, .update = Update::guarded}) ==
        "data race on histo: tested and written in two steps");
  CHECK(race({store, store}, Space::global, true) ==
        "data race on histo: two threads write it, and the last write wins");
  CHECK(race({.first = atomic, .second = atomic, .same_block = false, .block_scope = true}) ==
        "data race on histo: atomic within one block only, used between blocks");
  CHECK(race({atomic, store}, Space::shared) ==
        "data race in shared memory: plain writes and atomic updates of the same element");
  CHECK(race({atomic, load}, Space::shared) ==
        "data race in shared memory: read while other threads update it");
  CHECK(race({.first = store, .second = load, .same_block = false}) ==
        "data race on histo: one block writes what another block uses");
  CHECK(race({store, load}, Space::shared) ==
        "data race in shared memory: written and read without a barrier between");
  CHECK(race({store, store}) == "data race on histo: two threads use it at once");
}

TEST_CASE("accesses out of bounds are distinguished by their target") {
  CHECK(stray(-43, Region::Role::output) ==
        "access out of bounds on histo: the index is below zero");
  CHECK(stray(4294967253, Region::Role::output) ==
        "access out of bounds on histo: the index is below zero");
  CHECK(stray(0, Region::Role::input, 0) ==
        "access out of bounds on data: the index is not tested against the length");
  CHECK(stray(7, Region::Role::output) ==
        "access out of bounds on histo: the index is beyond the end");
  const Finding nowhere = finding_of(FindingKind::out_of_bounds, Space::global, "");
  CHECK(called(nowhere, out_of_bounds_message(nowhere, AccessKind::load, 0, nullptr, 4)) ==
        "access out of bounds in global memory: an invalid pointer");
  const Finding local = finding_of(FindingKind::out_of_bounds, Space::local, "");
  CHECK(called(local, beyond_local_message(local, AccessKind::store, 4)) ==
        "access out of bounds in local memory: the index is beyond the end");
  CHECK(called(local, others_local_message(local, AccessKind::load)) ==
        "access out of bounds in local memory: a local variable of another thread");
}

TEST_CASE("mistakes with memory that a kernel allocates") {
  const Finding heap = finding_of(FindingKind::out_of_bounds, Space::global, "malloc@4");
  const auto freed = [&](DeviceHeap::Freed what) {
    return called(heap, wrong_free_message(heap, {what, nullptr, 9}));
  };
  CHECK(freed(DeviceHeap::Freed::again) == "access out of bounds in global memory: freed twice");
  CHECK(freed(DeviceHeap::Freed::not_its_start) ==
        "access out of bounds in global memory: freed by a pointer that malloc and new did not "
        "return");
  CHECK(freed(DeviceHeap::Freed::never_allocated) ==
        "access out of bounds in global memory: freed by a pointer that malloc and new did not "
        "return");
  CHECK(called(heap, use_after_free_message(heap, AccessKind::load, {})) ==
        "access out of bounds in global memory: used after it was freed");
}

TEST_CASE("barriers and loops that do not end") {
  const Finding barrier = finding_of(FindingKind::barrier_divergence, Space::none, "");
  CHECK(called(barrier, barrier_divergence_message(barrier, true)) ==
        "barrier that not all threads reach: some threads return before the barrier");
  CHECK(called(barrier, barrier_divergence_message(barrier, false)) ==
        "barrier that not all threads reach: it is in a branch, or in a loop that threads leave at "
        "different times");
  const Finding endless = finding_of(FindingKind::step_limit, Space::none, "");
  CHECK(called(endless, step_limit_message(endless, 0)) ==
        "loop that does not end: its condition never becomes false");
  CHECK(called(endless, step_limit_message(endless, 1000)) ==
        "loop that does not end: it does not end, or one thread does all the work");
}

TEST_CASE(
    "a student's own name becomes a memory space, and an unknown mistake has its kind's name") {
  CHECK(called(finding_of(FindingKind::out_of_bounds, Space::global, "janes"), "something new") ==
        "access out of bounds in global memory");
  CHECK(called(finding_of(FindingKind::write_to_input, Space::global, "data"), "something new") ==
        "write to the input");
  const Finding own = finding_of(FindingKind::illegal_instruction, Space::local, "");
  CHECK(called(own, atomic_on_local_message(own)) == "illegal instruction in local memory");
}

TEST_CASE("names of wrong counts") {
  const auto of = [](std::vector<grader::Mismatch> mismatches) {
    grader::LabResult lab;
    lab.cases.resize(1);
    lab.cases[0].correct = mismatches.empty(), lab.cases[0].mismatches = std::move(mismatches);
    return wrong_counts(lab);
  };
  CHECK(of({}) == "");
  CHECK(of({{1, 0, 5, 0}, {1, 1, 9, 0}}) == "nothing is counted");
  CHECK(of({{1, 0, 5, 0}, {1, 1, 9, 8}}) == "some elements are not counted");
  CHECK(of({{1, 0, 5, 6}}) == "more is counted than there is");
  CHECK(of({{1, 0, 5, 4}, {1, 1, 9, 10}}) == "counted in the wrong bins");
  CHECK(of({{1, 0, 5, 4}, {1, 1, 9, 99}}) == "counts are wrong");
}
