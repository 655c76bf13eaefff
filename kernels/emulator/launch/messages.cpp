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
      "{} {} {}{} and {} {} it{}; both are atomic, but nothing orders the two, so counts are "
      "lost. ",
      names.both(*finding.thread), verb(facts.first_overwrites), describe_element(finding),
      at_line(finding.line), names.both(*finding.other_thread), verb(facts.second_overwrites),
      at_line(finding.other_line));
  if (facts.stores_result)
    return what + "The addition has already stored its result: remove the overwrite";
  if (facts.same_block)
    return what + "Put __syncthreads() between them, where every thread of the block reaches it";
  if (facts.cooperative)
    return what + "Put grid.sync() between them, where every thread of the grid reaches it";
  return what +
         "Let the last block to finish overwrite it: a ticket drawn after __threadfence() and "
         "__syncthreads() identifies it. Not needed if it is 0 anyway";
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
        "{} both write {}, and nothing orders the two: the last write wins. Give each thread its "
        "own element, or combine the values in one atomic operation, such as atomicAdd or "
        "atomicMax",
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
           "; a plain write can wipe out atomic updates. The atomic function has already stored "
           "its result: remove the assignment";
  if (facts.update != Update::none)
    return what +
           "; the value read may be out of date. An atomic function reads the element itself: pass "
           "only the increment to atomicAdd";
  if (!facts.same_block && facts.block_scope)
    return what +
           "; a function that ends in _block is atomic within one block only. Use the function "
           "without _block";
  constexpr const char* pass_on =
      "a __threadfence() after the first access and before the atomic operation that signals the "
      "other thread";
  if (!facts.same_block && facts.cooperative)
    return what +
           "; nothing orders the two. Put grid.sync() between them, where every thread of the grid "
           "reaches it";
  if (!facts.same_block && facts.fences)
    return what + "; nothing orders the two. Between blocks you need " + pass_on;
  if (!facts.same_block && frees)
    return what +
           "; nothing orders two blocks. Let each block free only memory that no other block uses";
  if (!facts.same_block && both_write)
    return what +
           "; nothing orders two blocks. Give each block its own elements, or combine the values "
           "in one atomic operation, such as atomicAdd or atomicMax";
  if (!facts.same_block && any_atomic && plain_writes)
    return what +
           "; no barrier spans two blocks, so the write can wipe out updates. Set the initial "
           "value before the launch, and only add to it atomically in the kernel";
  if (!facts.same_block)
    return what +
           "; no barrier spans two blocks, and an atomic read may come too early as well. Read it "
           "in another launch, or in the last block to draw a ticket: __threadfence(), then "
           "atomicAdd on a counter";
  const auto takes_lock = [](AccessKind kind) {
    return kind == AccessKind::compare_and_swap || kind == AccessKind::exchange;
  };
  if (any_atomic && plain_writes && (takes_lock(facts.first) || takes_lock(facts.second)))
    return what +
           "; a plain write can wipe out atomic updates. If it releases a lock, use atomicExch "
           "after a __threadfence(); otherwise put __syncthreads() between them";
  if (any_atomic && plain_writes)
    return what +
           "; a plain write can wipe out atomic updates. Put __syncthreads() between them: an "
           "atomic write would wipe them out, too";
  if (any_atomic && finding.space == Space::global && !facts.fences)
    return what +
           "; the value read may be out of date. If the read must see the final value, put "
           "__syncthreads() between them; otherwise use the value that the atomic function returns";
  if (facts.fences)
    return what + "; nothing orders the two. Put __syncthreads() between them, or " + pass_on;
  if (one_line && plain_writes)
    return what +
           "; nothing orders the two. Put __syncthreads() between them: in a loop, at the end of "
           "its body; otherwise read into a variable, call __syncthreads(), then write";
  if (facts.same_warp)
    return what +
           "; nothing orders the two. Put __syncthreads() between them: being in the same warp "
           "does not order them";
  return what +
         "; nothing orders the two. Put __syncthreads() between them, where every thread of the "
         "block reaches it";
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
         "write comes last. Nothing needs to change as long as they do";
}

std::string too_many_releases_message(const Finding& finding, std::size_t words) {
  return fmt::format(
      "{} publishes its writes through a word of {}, but the emulator tracks only {} such words; "
      "from here on it may miss a race. Launch fewer threads, or use fewer locks",
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
           ". So large an index is an unsigned value that wrapped below zero: check the lower "
           "bound first";
  if (meant->role == Region::Role::input || elements == 0)
    return what + ". Check the index against the length before you use it";
  return what + ". Check how the index is computed, and test it before you use it";
}

std::string write_to_input_message(const Finding& finding, bool constant) {
  if (constant)
    return fmt::format(
        "{} writes {}, but {} is constant: a kernel can only read it. Make it __device__ without "
        "const, or keep data that changes in shared memory",
        describe(*finding.thread), describe_element(finding), finding.variable);
  return fmt::format(
      "{} writes {}, but {} is the kernel's input and must stay as it is. Write results to the "
      "output only",
      describe(*finding.thread), describe_element(finding), finding.variable);
}

std::string atomic_on_local_message(const Finding& finding) {
  return fmt::format(
      "{} updates a local variable with an atomic function, which works only on shared and global "
      "memory. Did you mean another variable? Declare data that a block shares with __shared__; "
      "for a thread's own data a plain += is enough",
      describe(*finding.thread));
}

std::string beyond_local_message(const Finding& finding, AccessKind kind, std::uint32_t bytes) {
  return fmt::format(
      "{} {} {} byte{} outside its local variables, with an index beyond the end of a local array. "
      "Keep the index below the array's number of elements",
      describe(*finding.thread), verb(kind), bytes, bytes == 1 ? "" : "s");
}

std::string others_local_message(const Finding& finding, AccessKind kind) {
  return fmt::format(
      "{} {} a local variable of another thread through its address; on a GPU that address is in "
      "the accessing thread's own local memory. Put data that threads share into __shared__ memory",
      describe(*finding.thread), verb(kind));
}

std::string uninitialized_read_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                       std::uint32_t written, SetElements elements) {
  const std::string begin =
      fmt::format("{} {} {}", describe(*finding.thread), verb(kind), describe_element(finding));
  if (elements.set > 0 && written == 0)
    return fmt::format(
        "{}, which is uninitialized: this block has set only {} of {} elements. Set all {}, even "
        "with fewer threads: for (i = threadIdx.x; i < {}; i += blockDim.x), then __syncthreads()",
        begin, elements.set, elements.all, elements.all, elements.all);
  const std::string part = written == 0
                               ? "anything was written there"
                               : fmt::format("byte {} of its {} was written", written, bytes);
  const std::string what = fmt::format(
      "{} before {} in this block. Shared memory starts with whatever was left in it: ", begin,
      part);
  if (!finding.index)
    return what + fmt::format("let one thread set {}, then __syncthreads()", finding.variable);
  return what +
         "set every element first, even with fewer threads than elements, then __syncthreads()";
}

std::string uninitialized_global_message(const Finding& finding, AccessKind kind,
                                         std::uint64_t byte) {
  const std::string where =
      byte == 0 ? describe_element(finding)
                : fmt::format("{} (byte {} of it)", describe_element(finding), byte);
  return fmt::format(
      "{} {} {} before anything was written there. Allocated memory holds whatever was left in it: "
      "write every element before you read it, for example in a loop over all of them",
      describe(*finding.thread), verb(kind), where);
}

std::string wrong_free_message(const Finding& finding, const DeviceHeap::Freeing& freeing) {
  const std::string what = fmt::format("{} frees {}", describe(*finding.thread),
                                       finding.variable.empty() ? "an address" : finding.variable);
  switch (freeing.what) {
    case DeviceHeap::Freed::again:
      return fmt::format("{}, which was already freed{}. Let one thread free it, once", what,
                         at_line(freeing.earlier_line));
    case DeviceHeap::Freed::not_its_start:
      return what +
             " with a pointer into it. Free the pointer that malloc or new returned, not one that "
             "was advanced";
    case DeviceHeap::Freed::never_allocated:
    case DeviceHeap::Freed::done: break;
  }
  return what +
         " that neither malloc nor new returned. Free only memory that the kernel has allocated";
}

std::string use_after_free_message(const Finding& finding, AccessKind kind, const Region& region) {
  return fmt::format(
      "{} {} {}, but that memory was freed{}. Use it before you free it, or free it later",
      describe(*finding.thread), verb(kind), describe_element(finding), at_line(region.freed_line));
}

std::string misaligned_access_message(const Finding& finding, AccessKind kind, std::uint32_t bytes,
                                      std::optional<std::uint32_t> byte) {
  const std::string place =
      byte ? fmt::format("byte {} of {}", *byte, finding.variable) : describe_element(finding);
  return fmt::format(
      "{} {} {} bytes at once at {}, a misaligned address: it is not a multiple of {}. Start at an "
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
        "{}, but {} has already exited. Every thread of the grid must reach every grid.sync() the "
        "same number of times: guard work with `if` instead of returning early",
        waits, other);
  if (other_returned)
    return fmt::format(
        "{}, but {} has already exited. Every thread must reach every __syncthreads() the same "
        "number of times: do not put one in a branch, or in a loop that some threads leave "
        "earlier; guard work with `if` instead of returning early",
        waits, other);
  if (of_grid)
    return fmt::format(
        "{} while {} waits at another one{}. All threads of the grid must reach the same "
        "grid.sync() the same number of times: move it out of branches, and out of loops that some "
        "threads leave earlier",
        waits, other, at_line(finding.other_line));
  return fmt::format(
      "{} while {} waits at another one{}. All threads of a block must reach the same "
      "__syncthreads() the same number of times: move it out of branches, and out of loops that "
      "some threads leave earlier",
      waits, other, at_line(finding.other_line));
}

std::string waits_for_earlier_block_message(const Finding& finding) {
  return fmt::format(
      "{} waits for a block with a lower number{}, so the blocks ran in ascending order here. GPUs "
      "start blocks in that order, but CUDA does not guarantee it: let the blocks draw tickets "
      "with atomicAdd, and wait for earlier tickets",
      describe(*finding.thread), at_line(finding.line));
}

std::string sleeps_message(const Finding& finding) {
  return fmt::format("{} sleeps and wakes up forever. Check that the event it waits for can happen",
                     describe(*finding.thread));
}

std::string too_many_grid_barriers_message(const Finding& finding, std::uint64_t times) {
  return fmt::format(
      "{} reached grid.sync() {} times, and the kernel is still running. Check the condition that "
      "ends the loop around it",
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
        "{} keeps running without touching memory: its loop never ends, or runs far too long. "
        "Check that the loop's condition becomes false",
        describe(*finding.thread));
  return fmt::format(
      "{} made more than {} memory accesses and barriers and is still running. Check that the "
      "loop's index grows in every round, that the event it waits for can happen, and that no "
      "thread does all the work",
      describe(*finding.thread), budget);
}

}  // namespace histolab::kernels::emulator
