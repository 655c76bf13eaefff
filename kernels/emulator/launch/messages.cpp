#include "kernels/emulator/launch/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace histolab::kernels::emulator {
namespace {

// Names of threads and blocks. All names in a sentence have as many coordinates as one of them
// needs: not "threads 3 and (0, 1)".
class Names {
 public:
  explicit Names(const ThreadId& one) : Names(one, one) {}
  Names(const ThreadId& one, const ThreadId& other)
      : of_thread_(std::max(coordinates(one.thread), coordinates(other.thread))),
        of_block_(std::max(coordinates(one.block), coordinates(other.block))) {}

  [[nodiscard]] std::string thread(const ThreadId& id) const {
    return place(id.thread, of_thread_);
  }
  [[nodiscard]] std::string block(const ThreadId& id) const { return place(id.block, of_block_); }
  [[nodiscard]] std::string both(const ThreadId& id) const {
    return fmt::format("thread {} of block {}", thread(id), block(id));
  }

 private:
  static int coordinates(const Dim3& at) { return at.z != 0 ? 3 : at.y != 0 ? 2 : 1; }
  static std::string place(const Dim3& at, int coordinates) {
    if (coordinates == 3) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
    if (coordinates == 2) return fmt::format("({}, {})", at.x, at.y);
    return fmt::format("{}", at.x);
  }
  int of_thread_, of_block_;
};

std::string_view verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
    case AccessKind::volatile_load: return "reads";
    case AccessKind::store: return "writes";
    case AccessKind::release: return "frees";
    case AccessKind::atomic:
    case AccessKind::compare_and_swap:
    case AccessKind::exchange: break;
  }
  return "atomically updates";
}

std::string at_line(int line) { return line > 0 ? fmt::format(" (line {})", line) : std::string(); }

// Returns "threads 3 and 17 of block 0", or "thread 3 of block 0 and thread 5 of block 1".
std::string describe_pair(const ThreadId& one, const ThreadId& two) {
  const auto order = [](const ThreadId& id) {
    return std::tie(id.block.z, id.block.y, id.block.x, id.thread.z, id.thread.y, id.thread.x);
  };
  const auto [a, b] = std::minmax(
      one, two, [&](const ThreadId& x, const ThreadId& y) { return order(x) < order(y); });
  const Names names(a, b);
  if (a.block == b.block)
    return fmt::format("threads {} and {} of block {}", names.thread(a), names.thread(b),
                       names.block(a));
  return fmt::format("{} and {}", names.both(a), names.both(b));
}

}  // namespace

std::string describe(const ThreadId& id) { return Names(id).both(id); }

std::string describe_element(const Finding& finding) {
  if (finding.variable.empty()) return "memory";
  return finding.index ? fmt::format("{}[{}]", finding.variable, *finding.index) : finding.variable;
}

namespace {

// For two atomic operations: one overwrites the value that the other one adds to.
std::string overwriting_message(const Finding& finding, const RaceFacts& facts) {
  const Names names(*finding.thread, *finding.other_thread);
  const auto verb = [](bool overwrites) { return overwrites ? "overwrites" : "adds to"; };
  const std::string what = fmt::format(
      "{} {} {}{} and {} {} it{}; both are atomic, but nothing orders the two: counts are lost. ",
      names.both(*finding.thread), verb(facts.first_overwrites), describe_element(finding),
      at_line(finding.line), names.both(*finding.other_thread), verb(facts.second_overwrites),
      at_line(finding.other_line));
  if (facts.stores_result)
    return what + "The addition has stored its result already: leave the overwrite out";
  if (facts.same_block)
    return what + "Put __syncthreads() between them, where every thread of the block gets to it";
  if (facts.cooperative)
    return what + "Put grid.sync() between them, where every thread of the grid gets to it";
  return what +
         "Let the last block to finish overwrite it: a ticket behind __threadfence() and "
         "__syncthreads() tells "
         "which. Not needed if it is 0 anyway";
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
        "{} both read {}{}, and write it{} because of what they read; the one may have read too "
        "early. Make the test and "
        "the write one indivisible step, for example atomicMax or atomicCAS",
        pair, element, at_line(read_line), at_line(write_line));
  const std::string lock = facts.fences ? "; or, where a lock guards it, let all take the same "
                                          "lock, and __threadfence() before they give it back"
                                        : "";
  if (read_line != write_line)
    return fmt::format(
        "{} both read {}{} and write back what they computed from it{}; one update is lost. Make "
        "the two lines one "
        "indivisible step, for example atomicAdd(&{}, what is added){}",
        pair, element, at_line(read_line), at_line(write_line), element, lock);
  return fmt::format(
      "{} both update {} without an atomic operation; one update is lost. Make the update one "
      "indivisible step, for "
      "example atomicAdd(&{}, what is added){}",
      pair, element, element, lock);
}

}  // namespace

std::string data_race_message(const Finding& finding, const RaceFacts& facts) {
  if (facts.first_overwrites || facts.second_overwrites) return overwriting_message(finding, facts);
  const std::string element = describe_element(finding);
  const bool frees = facts.first == AccessKind::release || facts.second == AccessKind::release;
  const bool plain_writes =
      !frees && (facts.first == AccessKind::store || facts.second == AccessKind::store);
  const bool one_line = finding.line == finding.other_line;
  const bool any_atomic = !frees && (is_atomic(facts.first) || is_atomic(facts.second));
  const bool both_write = facts.first == AccessKind::store && facts.second == AccessKind::store;
  if (one_line && both_write)
    return fmt::format(
        "{} both write {}, and nothing orders the two: the one that comes last wins. Give each "
        "thread an element of its own, "
        "or combine what they write in one atomic operation, such as atomicAdd or atomicMax",
        describe_pair(*finding.other_thread, *finding.thread), element);
  if (facts.update != Update::none && !(one_line && any_atomic))
    return update_message(finding, facts);
  const Names names(*finding.thread, *finding.other_thread);
  std::string what =
      fmt::format("{} {} {}{} while {} {} it{}", names.both(*finding.thread), verb(facts.first),
                  element, at_line(finding.line), names.both(*finding.other_thread),
                  verb(facts.second), at_line(finding.other_line));
  if (facts.stores_result)
    return what +
           "; a plain write can wipe out atomic updates. The atomic function has stored its result "
           "already: leave the assignment out";
  if (facts.update != Update::none)
    return what +
           "; what was read may be out of date. An atomic function reads by itself: give atomicAdd "
           "only what is added";
  if (!facts.same_block && facts.block_scope)
    return what +
           "; a function that ends in _block is atomic within one block only. Use the one without "
           "_block";
  constexpr const char* pass_on =
      "a __threadfence() after the one access and before the atomic operation by which the other "
      "thread learns of it";
  if (!facts.same_block && facts.cooperative)
    return what +
           "; nothing orders the two. Put grid.sync() between them, where every thread of the grid "
           "gets to it";
  if (!facts.same_block && facts.fences)
    return what + "; nothing orders the two. Between blocks that takes " + pass_on;
  if (!facts.same_block && frees)
    return what + "; nothing orders two blocks. Let each block free only what no other one uses";
  if (!facts.same_block && both_write)
    return what +
           "; nothing orders two blocks. Give each block elements of its own, or combine what they "
           "write in one atomic operation, such as "
           "atomicAdd or atomicMax";
  if (!facts.same_block && any_atomic && plain_writes)
    return what +
           "; no barrier joins two blocks, so the write can wipe out updates. Set the first value "
           "before the launch, and in the kernel only "
           "add to it, atomically";
  if (!facts.same_block)
    return what +
           "; no barrier joins two blocks, and an atomic read may be too early as well. Read it in "
           "another launch, or in the last block that "
           "draws a ticket: __threadfence(), then atomicAdd on a counter";
  const auto takes_lock = [](AccessKind kind) {
    return kind == AccessKind::compare_and_swap || kind == AccessKind::exchange;
  };
  if (any_atomic && plain_writes && (takes_lock(facts.first) || takes_lock(facts.second)))
    return what +
           "; a plain write can wipe out atomic updates. If it gives a lock back, use atomicExch "
           "behind a __threadfence(); else put "
           "__syncthreads() between them";
  if (any_atomic && plain_writes)
    return what +
           "; a plain write can wipe out atomic updates. Put __syncthreads() between them: an "
           "atomic write in its place would wipe them out, too";
  if (any_atomic && finding.space == Space::global && !facts.fences)
    return what +
           "; what was read may be out of date. If the read is to see the finished value, put "
           "__syncthreads() between them; else use what the "
           "atomic function returns";
  if (facts.fences)
    return what + "; nothing orders the two. Put __syncthreads() between them, or " + pass_on;
  if (one_line && plain_writes)
    return what +
           "; nothing orders the two. Put __syncthreads() between them: in a loop, at the end of "
           "its body; else read into a variable, call "
           "__syncthreads(), then write";
  if (facts.same_warp)
    return what +
           "; nothing orders the two. Put __syncthreads() between them: that they are in one warp "
           "orders nothing";
  return what +
         "; nothing orders the two. Put __syncthreads() between them, where every thread of the "
         "block gets to it";
}

std::string same_value_message(const Finding& finding) {
  const std::string element = describe_element(finding);
  const Names names(*finding.thread, *finding.other_thread);
  const std::string who =
      finding.line == finding.other_line
          ? fmt::format("{} both write {}", describe_pair(*finding.other_thread, *finding.thread),
                        element)
          : fmt::format("{} writes {}{} and so does {}{}", names.both(*finding.thread), element,
                        at_line(finding.line), names.both(*finding.other_thread),
                        at_line(finding.other_line));
  return who +
         ", and nothing orders the two; all write the same value, so it does not matter which "
         "comes last. Nothing needs to change as long as "
         "they do";
}

std::string too_many_releases_message(const Finding& finding, std::size_t words) {
  return fmt::format(
      "{} hands on by a word of {} what it has done, and {} other words have served for that: who "
      "learns it by which one is not kept "
      "apart from here on, so a race may be missed. Launch less, or with fewer locks, to have it "
      "told",
      describe(*finding.thread), finding.variable, words);
}

std::string out_of_bounds_message(const Finding& finding, AccessKind kind, std::uint64_t address,
                                  const Region* meant, std::uint32_t element_bytes) {
  if (meant == nullptr || !finding.index)
    return fmt::format(
        "{} {} address {:#x}{}, where the kernel has no memory. Check what the pointer is computed "
        "from",
        describe(*finding.thread), verb(kind), address, address < 4096 ? " (a null pointer)" : "");
  const std::uint64_t elements = element_bytes == 0 ? 0 : meant->size / element_bytes;
  std::string what = fmt::format("{} {} {}, but {} ", describe(*finding.thread), verb(kind),
                                 describe_element(finding), finding.variable);
  if (elements == 0)
    what += "has no elements here";
  else if (elements == 1)
    what += "has 1 element, index 0";
  else
    what += fmt::format("has {} elements, 0 to {}", elements, elements - 1);
  if (*finding.index < 0)
    return what +
           ". The index is below zero: check what it is computed from (a signed char? a missing "
           "lower bound?)";
  if (static_cast<std::uint64_t>(*finding.index) >= (1ull << 30) && elements < (1ull << 28))
    return what +
           ". So large an index is an unsigned one that went below zero: check the lower bound "
           "first";
  if (meant->role == Region::Role::input || elements == 0)
    return what + ". Check the index against the length before you use it";
  return what + ". Check how the index is computed, and test it before you use it";
}

std::string write_to_input_message(const Finding& finding, bool constant) {
  if (constant)
    return fmt::format(
        "{} writes {}, but {} is constant: a kernel can only read it. Make it __device__ without "
        "const, or keep what changes in shared memory",
        describe(*finding.thread), describe_element(finding), finding.variable);
  return fmt::format(
      "{} writes {}, but {} is the kernel's input and must stay as it is. Write results to the "
      "output only",
      describe(*finding.thread), describe_element(finding), finding.variable);
}

std::string atomic_on_local_message(const Finding& finding) {
  return fmt::format(
      "{} updates a local variable by an atomic function, which works on shared and global memory "
      "only. Is another variable meant? What a block "
      "shares is declared with __shared__; for a thread's own a plain += is enough",
      describe(*finding.thread));
}

std::string beyond_local_message(const Finding& finding, AccessKind kind, std::uint32_t bytes) {
  return fmt::format(
      "{} {} {} byte{} outside of its local variables, by an index that lies beyond a local array. "
      "Keep the index below the array's number of elements",
      describe(*finding.thread), verb(kind), bytes, bytes == 1 ? "" : "s");
}

std::string others_local_message(const Finding& finding, AccessKind kind) {
  return fmt::format(
      "{} {} a local variable of another thread through its address; on a GPU it means the "
      "reader's own local memory. Put what "
      "threads share into __shared__ memory",
      describe(*finding.thread), verb(kind));
}

std::string uninitialized_read_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                       std::uint32_t written, SetElements elements) {
  const std::string begin =
      fmt::format("{} {} {}", describe(*finding.thread), verb(kind), describe_element(finding));
  if (elements.set > 0 && written == 0)
    return fmt::format(
        "{}, which this block has not set: only {} of {} elements are. Set all {}, also with fewer "
        "threads: "
        "for (i = threadIdx.x; i < {}; i += blockDim.x), then __syncthreads()",
        begin, elements.set, elements.all, elements.all, elements.all);
  const std::string part = written == 0
                               ? "anything was written there"
                               : fmt::format("byte {} of its {} was written", written, bytes);
  const std::string what = fmt::format(
      "{} before {} in this block. Shared memory starts with what was left in it: ", begin, part);
  if (!finding.index)
    return what + fmt::format("let one thread set {}, then __syncthreads()", finding.variable);
  return what +
         "set every element first, also with fewer threads than elements, then __syncthreads()";
}

std::string uninitialized_global_message(const Finding& finding, AccessKind kind,
                                         std::uint64_t byte) {
  const std::string where =
      byte == 0 ? describe_element(finding)
                : fmt::format("{} (byte {} of it)", describe_element(finding), byte);
  return fmt::format(
      "{} {} {} before anything was written there. Memory that is handed out holds whatever was "
      "left in it: write every "
      "element before you read it, for example in a loop over all of them",
      describe(*finding.thread), verb(kind), where);
}

std::string wrong_free_message(const Finding& finding, const DeviceHeap::Freeing& freeing) {
  const std::string what = fmt::format("{} frees {}", describe(*finding.thread),
                                       finding.variable.empty() ? "an address" : finding.variable);
  switch (freeing.what) {
    case DeviceHeap::Freed::again:
      return fmt::format("{}, which was freed already{}. Let one thread free it, once", what,
                         at_line(freeing.earlier_line));
    case DeviceHeap::Freed::not_its_start:
      return what +
             " by a pointer into it. Free what malloc or new gave, not a pointer that has moved on";
    case DeviceHeap::Freed::never_allocated:
    case DeviceHeap::Freed::done: break;
  }
  return what + " that neither malloc nor new gave. Free only what the kernel has allocated";
}

std::string use_after_free_message(const Finding& finding, AccessKind kind, const Region& region) {
  return fmt::format(
      "{} {} {}, but that memory was given back{}. Use it before it is freed, or free it later",
      describe(*finding.thread), verb(kind), describe_element(finding), at_line(region.freed_line));
}

std::string misaligned_access_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                      std::optional<std::uint32_t> byte) {
  const std::string place =
      byte ? fmt::format("byte {} of {}", *byte, finding.variable) : describe_element(finding);
  return fmt::format(
      "{} {} {} bytes at once at {}, whose address is no multiple of {}. Start at an "
      "aligned element and handle the rest one by one",
      describe(*finding.thread), verb(kind), bytes, place, bytes);
}

std::string barrier_divergence_message(const Finding& finding, bool other_returned, bool of_grid) {
  const Names names(*finding.thread, *finding.other_thread);
  const std::string waits = fmt::format("{} waits at the barrier{}", names.both(*finding.thread),
                                        at_line(finding.line)),
                    other = names.both(*finding.other_thread);
  if (other_returned && of_grid)
    return fmt::format(
        "{} but {} has already ended. Every thread of the grid must reach every grid.sync(), "
        "equally often: guard work by `if`, "
        "without an early return",
        waits, other);
  if (other_returned)
    return fmt::format(
        "{} but {} has already ended. Every thread must reach every __syncthreads(), equally "
        "often: none in a "
        "branch or in a loop of unequal rounds; guard work by `if`, without an early return",
        waits, other);
  if (of_grid)
    return fmt::format(
        "{} while {} waits at another one{}. All threads of the grid must reach the same "
        "grid.sync(), equally often: put it where no branch and no loop of unequal rounds keeps "
        "some of them away",
        waits, other, at_line(finding.other_line));
  return fmt::format(
      "{} while {} waits at another one{}. All threads of a block must reach the same "
      "__syncthreads(), equally often: "
      "put it where no branch and no loop of unequal rounds keeps some of them away",
      waits, other, at_line(finding.other_line));
}

std::string waits_for_earlier_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for a block with a lower number{}, so the blocks ran in ascending order here. GPUs "
      "start blocks in that order, but CUDA does "
      "not promise it: let the blocks draw tickets by atomicAdd, and wait for earlier tickets",
      describe(*finding.thread), at_line(finding.line));
}

std::string sleeps_message(const Finding& finding) {
  return fmt::format("{} sleeps and wakes without end. Check that what it waits for can happen",
                     describe(*finding.thread));
}

std::string too_many_grid_barriers_message(const Finding& finding, std::uint64_t times) {
  return fmt::format(
      "{} came to grid.sync() {} times, and the kernel is still running. Check what ends the loop "
      "around it",
      describe(*finding.thread), times);
}

std::string too_large_to_suspend_message(std::uint64_t blocks, std::uint64_t bytes,
                                         std::uint64_t most_bytes) {
  return fmt::format(
      "at grid.sync() the first {} blocks hold {} MiB of local and shared memory, more than the "
      "emulator keeps for a grid ({} MiB). "
      "A GPU may run this launch: make local arrays smaller, or launch fewer threads",
      blocks, bytes >> 20, most_bytes >> 20);
}

std::string step_limit_message(const Finding& finding, std::uint64_t budget) {
  if (budget == 0)
    return fmt::format(
        "{} keeps running without touching memory: its loop is endless, or far too long. Check "
        "what makes the loop's condition false",
        describe(*finding.thread));
  return fmt::format(
      "{} made more than {} memory accesses and barriers and is still running. Check that the "
      "loop's index grows "
      "in every round, that what it waits for can happen, and that no thread does the work of all",
      describe(*finding.thread), budget);
}

}  // namespace histolab::kernels::emulator
