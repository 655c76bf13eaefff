// BlockRunner: requests of the running lane, on its stack: waiting, memory, sleep, printing, and
// accesses that are shown when they are made.
#include "kernels/emulator/arch/stack_room.h"
#include "kernels/emulator/launch/live_launch.h"
#include "kernels/emulator/memory/device_heap.h"
#include "kernels/emulator/messages/memory_messages.h"
#include "kernels/emulator/run/block_runner.h"

namespace histolab::kernels::emulator {
void BlockRunner::pause_for_judgement() {
  warps_[lanes_.running() / 32].full |= 1u << lanes_.running() % 32;
  const bool wrote = current.wrote;
  Lanes::suspend();
  current.wrote = wrote;
}

int BlockRunner::barrier(SiteNumber site, Reduction reduction, bool predicate) {
  barrier_.arrive(lanes_.running(), predicate);
  Lanes::wait_at_barrier(site);
  return barrier_.result(reduction);
}

void BlockRunner::grid_barrier(SiteNumber site) {
  grid_barrier_.arrive();
  Lanes::wait_at_barrier(site);
}

std::uint64_t BlockRunner::meet(WarpFunction function, SiteNumber site, std::uint32_t mask,
                                std::uint64_t value, std::uint32_t operand, std::uint32_t width) {
  const std::uint32_t lane = lanes_.running();
  collectives_.deposit(lane, {function, site, mask, value, operand, width});
  Lanes::wait(&Warp::at_warp_sync, site);
  current.wrote = false;
  return collectives_.answer_to(lane);
}

void BlockRunner::fence(Scope scope) {
  for (Observer* observer : context_.observers) observer->on_fence(lanes_.running(), scope);
}

// An access outside of its region is reported when its row is judged. One outside of allocated
// memory is reported here, when it is made: that memory may belong to another thread later.
void BlockRunner::access_now(std::uint64_t address, SiteNumber number, bool updates,
                             bool belongs_to_last) {
  need_stack_room();
  const Site& site = (*context_.sites)[number];
  if (site.ends_early && !belongs_to_last)
    for (Observer* observer : context_.observers) observer->on_due_store(lanes_.running());
  const auto within = [&](const Region* region) {
    return region != nullptr && region->holds(address, site.bytes);
  };
  const Region* region = within(site.usual) ? site.usual : context_.window->find(address);
  if (region != nullptr && region->role == Region::Role::heap && site.kind != AccessKind::release &&
      (region->is_freed || !within(region))) {
    const StrayAccess stray{number, site.kind, site.bytes, lanes_.running(), address};
    for (Observer* observer : context_.observers) observer->on_stray_access(stray);
    return;
  }
  if (!within(region)) return;
  const auto offset = static_cast<std::uint32_t>(address - region->address());
  if (context_.live != nullptr && region == context_.watched_input && reads(site.kind))
    context_.live->note_read(offset, site.bytes);
  if (writes(site.kind)) region->note_write();
  if (!region->tracked_for_races() || (!context_.in_order && context_.recorded_steps == 0)) return;
  const LaneAccess access{number,           site.kind, site.bytes, site.is_volatile, updates,
                          lanes_.running(), region,    offset,     belongs_to_last,  site.is_early};
  for (Observer* observer : context_.observers) observer->on_lane_access(access);
}

bool BlockRunner::is_constant(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t begin = context_.window->begin(), size = context_.constants_end - begin;
  return (address - begin < size && address - begin + bytes <= size) ||
         is_built_in_variable(address, bytes);
}

bool BlockRunner::is_variable(std::uint64_t address) const {
  const std::uint64_t begin = context_.constants_end;
  const std::uint64_t size = current.window_begin + current.window_size - begin;
  return address - begin < size && context_.window->find(address) != nullptr;
}

bool BlockRunner::begins_log(const std::uint64_t* cursor) const {
  const std::uint32_t lane = lanes_.running();
  return cursor <= logs_[lane / 32].start(lane % 32);
}

void BlockRunner::interrupt_store() {
  if (!current.shows) return;
  for (Observer* observer : context_.observers) observer->on_interrupted_store(lanes_.running());
}

void* BlockRunner::allocate(std::uint64_t bytes, std::string_view function, SiteNumber site) {
  need_stack_room();
  // A large allocation takes time, and the next tick may interrupt this function, too.
  stall_watch_.count_progress();
  void* memory = context_.heap->allocate(bytes, function, context_.line(site));
  // A kernel that retries until memory is available waits for other lanes to free theirs.
  if (memory == nullptr) {
    if (!count_step())
      end_by_fault(FindingKind::step_limit, context_.line(site),
                   "keeps allocating memory. Check that the event it waits for can happen, and "
                   "that allocated memory is freed");
    lanes_.suspend();
  }
  return memory;
}

bool BlockRunner::release(std::uint64_t address, SiteNumber site) {
  need_stack_room();
  using Freed = DeviceHeap::Freed;
  const DeviceHeap::Freeing freeing = context_.heap != nullptr
                                          ? context_.heap->free(address, context_.line(site))
                                          : DeviceHeap::Freeing{Freed::never_allocated};
  if (freeing.what == Freed::done) return true;
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.space = Space::global;
  finding.line = context_.line(site);
  finding.thread = thread_id(lanes_.running());
  if (freeing.region != nullptr)
    finding.variable = freeing.region->name;
  else if (const Region* region = context_.window->find(address))
    finding.variable = region->name;
  finding.message = wrong_free_message(finding, freeing);
  context_.findings->add(std::move(finding));
  return false;
}

// A lane that has slept too often pauses for judgement, so that the runner can decide if it waits.
void BlockRunner::sleep(SiteNumber site) {
  if (!count_step()) {
    const std::uint32_t lane = lanes_.running();
    Lanes::note_site(site);
    budget_.note_asleep(lane);
    warps_[lane / 32].full |= 1u << lane % 32;
  }
  lanes_.suspend();
}

bool BlockRunner::count_step() {
  stall_watch_.count_progress();
  budget_.count_step(lanes_.running());
  return budget_.is_left(lanes_.running() / 32);
}

void BlockRunner::print(std::string_view text) {
  printed_.print(text);
  if (!count_step())
    end_by_fault(FindingKind::step_limit, 0,
                 "keeps printing. Check that the loop's condition becomes false");
}

}  // namespace histolab::kernels::emulator
