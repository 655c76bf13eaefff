#include "kernels/emulator/runtime/runtime_access.h"

namespace histolab::kernels::emulator {
namespace {

constexpr std::uint64_t address_bits = (1ull << 48) - 1;  // the address in a record

}  // namespace

[[gnu::noinline]] void pause_for_judgement() {
  const std::uint64_t record = next_record[-std::ptrdiff_t{WarpLog::lanes}];
  current.runner->pause_for_judgement();
  const Site& site = (*current.sites)[record >> 48];
  const bool is_callback = !site.in_pieces;  // ranges are reported separately, checks not at all
  const std::uint64_t reported_bytes = is_callback ? site.bytes : 0;
  current.reports.filled_log = {record & address_bits, reported_bytes, current.lanes->running()};
}

void record(std::uint64_t address, const void* return_address) {
  if (is_stray(address) && !is_own(address, __builtin_frame_address(0)))
    current.runner->end_by_stray(address, site_of(return_address));
  if (!skips(address) && !record_has_room(address, return_address)) pause_for_judgement();
}

namespace {

// Not inlined, to keep its caller small.
[[gnu::noinline, gnu::cold]] void announce(const NextAccess& access) {
  current.next = access;
  Lanes::suspend();
}

}  // namespace

void yield_before(bool write, std::uint64_t address, bool read, const void* return_address) {
  if (!current.stepping) return;
  if (current.debugged) [[unlikely]]
    Lanes::note_site(site_of(return_address));
  if (current.announces) [[unlikely]]
    return announce({address, read, write});
  if (write || current.wrote) Lanes::suspend();
  current.wrote = write;
}

bool was_reported(std::uint64_t address, const Site& site) {
  const auto is_in = [&](std::uint64_t begin, std::uint64_t bytes) {
    return address - begin < bytes && address - begin + site.bytes <= bytes;
  };
  const auto is_in_report = [&](const Current::Report& report) {
    return report.lane == current.lanes->running() && is_in(report.address, report.bytes);
  };
  if (site.report_age == 0) return false;
  if (site.report_is_range) return is_in_report(current.reports.last_range[site.report_writes]);
  const std::uint64_t* behind = next_record;
  std::uint64_t record = 0;
  const Site* reported = nullptr;
  for (std::uint8_t left = site.report_age; left > 0;) {
    if (current.runner->begins_log(behind)) return is_in_report(current.reports.filled_log);
    behind -= WarpLog::lanes;
    record = *behind;
    reported = &(*current.sites)[record >> 48];
    const bool is_local_check = reported->in_pieces && is_in_stacks(record & address_bits);
    left -= !is_local_check;
  }
  const bool is_of_check = reported->in_pieces;
  return !is_of_check && writes(reported->kind) == site.report_writes &&
         is_in(record & address_bits, reported->bytes);
}

void record_unreported(std::uint64_t address, const Site& site, std::uint64_t behind_check) {
  const auto* const at = reinterpret_cast<const void*>(behind_check);
  const auto* const of_read = reinterpret_cast<const void*>(behind_check - 1);
  yield_before(writes(site.kind), address, reads(site.kind) || site.is_update, at);
  if (site.is_update) record(address, of_read);
  record(address, at);
  if (site.is_update) show(address, of_read);
  show(address, at);
}

void show(std::uint64_t address, const void* return_address, bool updates, bool belongs_to_last) {
  if (current.shows)
    current.runner->access_now(address, site_of(return_address), updates, belongs_to_last);
}

}  // namespace histolab::kernels::emulator
