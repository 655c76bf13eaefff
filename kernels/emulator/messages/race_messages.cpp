#include "kernels/emulator/messages/race_messages.h"

#include <fmt/format.h>

#include "kernels/emulator/messages/names.h"

namespace histolab::kernels::emulator {
namespace {

// For two atomic operations: one overwrites the value that the other one adds to.
std::string overwriting_message(const Finding& finding, const RaceFacts& facts) {
  const ThreadNames names(*finding.thread, *finding.other_thread);
  const auto does = [](bool overwrites) { return overwrites ? "overwrites" : "adds to"; };
  const std::string what = fmt::format(
      "{} {} {}{} and {} {} it{}; both are atomic, but nothing orders the two, so counts are "
      "lost. ",
      names.both(*finding.thread), does(facts.first_overwrites), describe_element(finding),
      at_line(finding.line), names.both(*finding.other_thread), does(facts.second_overwrites),
      at_line(finding.other_line));
  if (facts.stores_result)
    return what + "The addition has already stored its result: remove the overwrite";
  if (facts.same_block)
    return what + "Put __syncthreads() between them, where every thread of the block reaches it";
  if (facts.cooperative)
    return what + "Put grid.sync() between them, where every thread of the grid reaches it";
  return what +
         "Let the last block to finish overwrite it: a ticket after __threadfence() and "
         "__syncthreads() tells which. Not needed if it is 0 anyway";
}

// For a race between the read and the write of an update.
std::string update_message(const Finding& finding, const RaceFacts& facts) {
  const std::string element = describe_element(finding),
                    pair = describe_pair(*finding.other_thread, *finding.thread);
  const bool first_reads = !writes(facts.first);
  const int read_line = first_reads ? finding.line : finding.other_line,
            write_line = first_reads ? finding.other_line : finding.line;
  if (facts.update == Update::guarded)
    return fmt::format(
        "{} both read {}{} and write it{} depending on the value; one of them may have read too "
        "early. Make the test and the write one indivisible step, for example atomicMax or "
        "atomicCAS",
        pair, element, at_line(read_line), at_line(write_line));
  const std::string lock = facts.fences
                               ? "; or, if a lock guards it, let all threads take the same lock, "
                                 "and call __threadfence() before they release it"
                               : "";
  if (read_line != write_line)
    return fmt::format(
        "{} both read {}{} and write back what they computed from it{}; one update is lost. Make "
        "the two lines one indivisible step, for example atomicAdd(&{}, increment){}",
        pair, element, at_line(read_line), at_line(write_line), element, lock);
  return fmt::format(
      "{} both update {} without an atomic operation; one update is lost. Make the update one "
      "indivisible step, for example atomicAdd(&{}, increment){}",
      pair, element, element, lock);
}

// Properties of the two accesses of a race. Only writes that are not atomic count as writes.
struct Accesses {
  Accesses(const Finding& finding, const RaceFacts& facts)
      : frees(facts.first == AccessKind::release || facts.second == AccessKind::release),
        on_one_line(finding.line == finding.other_line),
        both_write(facts.first == AccessKind::store && facts.second == AccessKind::store),
        any_writes(!frees &&
                   (facts.first == AccessKind::store || facts.second == AccessKind::store)),
        any_atomic(!frees && (is_atomic(facts.first) || is_atomic(facts.second))),
        takes_lock(may_take_lock(facts.first) || may_take_lock(facts.second)) {}

  static bool may_take_lock(AccessKind kind) {
    return kind == AccessKind::compare_and_swap || kind == AccessKind::exchange;
  }

  const bool frees, on_one_line, both_write, any_writes, any_atomic, takes_lock;
};

constexpr const char* pass_on =
    "a __threadfence() after the first access and before the atomic operation that signals the "
    "other thread";

// The advice for threads of two blocks. Follows the event.
std::string advice_between_blocks(const Accesses& accesses, const RaceFacts& facts) {
  if (facts.block_scope)
    return "; a function that ends in _block is atomic within one block only. Use the function "
           "without _block";
  if (facts.cooperative)
    return "; nothing orders the two. Put grid.sync() between them, where every thread of the grid "
           "reaches it";
  if (facts.fences)
    return std::string("; nothing orders the two. Between blocks you need ") + pass_on;
  if (accesses.frees)
    return "; nothing orders two blocks. Let each block free only memory that no other block uses";
  if (accesses.both_write)
    return "; nothing orders two blocks. Give each block its own elements, or combine the values "
           "in one atomic operation, such as atomicAdd or atomicMax";
  if (accesses.any_atomic && accesses.any_writes)
    return "; no barrier spans two blocks, so the write can wipe out updates. Set the initial "
           "value before the launch, and only add to it atomically in the kernel";
  return "; no barrier spans two blocks, and an atomic read may come too early as well. Read it in "
         "another launch, or in the last block to draw a ticket: __threadfence(), then atomicAdd "
         "on a counter";
}

// Likewise, for threads of one block.
std::string advice_within_block(const Accesses& accesses, const RaceFacts& facts, Space space) {
  if (accesses.any_atomic && accesses.any_writes && accesses.takes_lock)
    return "; a plain write can wipe out atomic updates. If it releases a lock, use atomicExch "
           "after a __threadfence(); otherwise put __syncthreads() between them";
  if (accesses.any_atomic && accesses.any_writes)
    return "; a plain write can wipe out atomic updates. Put __syncthreads() between the write and "
           "the atomic update. (An atomic write does not help: it would delete updates, too.)";
  if (accesses.any_atomic && space == Space::global && !facts.fences)
    return "; the value read may be out of date. If the read must see the final value, put "
           "__syncthreads() between them; otherwise use the value that the atomic function returns";
  if (facts.fences)
    return std::string("; nothing orders the two. Put __syncthreads() between them, or ") + pass_on;
  if (accesses.on_one_line && accesses.any_writes)
    return "; nothing orders the two. Put __syncthreads() between them: in a loop, at the end of "
           "its body; otherwise read into a variable, call __syncthreads(), then write";
  if (facts.same_warp)
    return "; nothing orders the two. Put __syncthreads() between them: being in the same warp "
           "does not order them";
  return "; nothing orders the two. Put __syncthreads() between them, where every thread of the "
         "block reaches it";
}

}  // namespace

std::string data_race_message(const Finding& finding, const RaceFacts& facts) {
  if (facts.first_overwrites || facts.second_overwrites) return overwriting_message(finding, facts);
  const Accesses accesses(finding, facts);
  const std::string element = describe_element(finding);
  if (accesses.on_one_line && accesses.both_write)
    return fmt::format(
        "{} both write {}, and nothing orders the two: the last write wins. Give each thread its "
        "own element, or combine the values in one atomic operation, such as atomicAdd or "
        "atomicMax",
        describe_pair(*finding.other_thread, *finding.thread), element);
  if (facts.update != Update::none && !(accesses.on_one_line && accesses.any_atomic))
    return update_message(finding, facts);
  const ThreadNames names(*finding.thread, *finding.other_thread);
  const std::string event =
      fmt::format("{} {} {}{} while {} {} it{}", names.both(*finding.thread), verb(facts.first),
                  element, at_line(finding.line), names.both(*finding.other_thread),
                  verb(facts.second), at_line(finding.other_line));
  if (facts.stores_result)
    return event +
           "; a plain write can wipe out atomic updates. The atomic function has already stored "
           "its result: remove the assignment";
  if (facts.update != Update::none)
    return event +
           "; the value read may be out of date. An atomic function reads the element itself: pass "
           "only the increment to atomicAdd";
  return event + (facts.same_block ? advice_within_block(accesses, facts, finding.space)
                                   : advice_between_blocks(accesses, facts));
}

std::string same_value_message(const Finding& finding) {
  const std::string element = describe_element(finding);
  const ThreadNames names(*finding.thread, *finding.other_thread);
  const std::string who =
      finding.line == finding.other_line
          ? fmt::format("{} both write {}", describe_pair(*finding.other_thread, *finding.thread),
                        element)
          : fmt::format("{} writes {}{} and so does {}{}", names.both(*finding.thread), element,
                        at_line(finding.line), names.both(*finding.other_thread),
                        at_line(finding.other_line));
  return who +
         ", and nothing orders the two; all write the same value, so it does not matter which "
         "write comes last. Nothing needs to change as long as they do";
}

std::string too_many_releases_message(const Finding& finding, std::size_t words) {
  return fmt::format(
      "{} publishes its writes through a word of {}, but the emulator tracks only {} such words; "
      "from here on it may miss a race. Launch fewer threads, or use fewer locks",
      describe(*finding.thread), finding.variable, words);
}

}  // namespace histolab::kernels::emulator
