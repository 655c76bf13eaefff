#include "kernels/emulator/module/kernel_sites.h"

#include <algorithm>

namespace histolab::kernels::emulator {
namespace {

constexpr std::string_view atomic_prefix = "histolab_atomic";

// The last part of the name is the type: u32, i64, f32, ...
char type_of(std::string_view operation) { return operation[operation.rfind('_') + 1]; }

}  // namespace

AtomicEffect atomic_effect(std::string_view operation, SecondArgument argument, bool result_used) {
  const auto is_any_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return operation.starts_with(name); });
  };
  const bool on_integers = type_of(operation) != 'f';
  const bool argument_is_zero = argument == SecondArgument::zero;
  if (is_any_of({"Add_", "Sub_"}))
    return on_integers && argument_is_zero ? AtomicEffect::other : AtomicEffect::adds;
  const bool is_unsigned = type_of(operation) == 'u';
  const bool makes_zero = argument_is_zero && (is_any_of({"And_", "Inc_", "Dec_"}) ||
                                               (is_unsigned && is_any_of({"Min_"})));
  if (is_any_of({"Inc_", "Dec_"}) && !makes_zero) return AtomicEffect::adds;
  const bool ignores_old = is_any_of({"Exch_"}) || makes_zero;
  return ignores_old && on_integers && !result_used ? AtomicEffect::overwrites
                                                    : AtomicEffect::other;
}

void KernelSites::add_range(SiteNumber site, AccessKind kind, bool has_words) {
  Site& range = (*table)[site];
  range.kind = kind;
  range.bytes = has_words ? 0 : 1;
  calls.push_back(site);
}

void KernelSites::add_call(std::string_view symbol, const RuntimeFunction& function,
                           SiteNumber number) {
  Site& site = (*table)[number];
  site.kind = function.kind;
  site.bytes = function.bytes;
  site.scope = function.scope;
  site.is_volatile = function.is_volatile;
  calls.push_back(number);
  has_compare_and_swap |= function.kind == AccessKind::compare_and_swap;
  if (is_atomic(function.kind) && symbol.starts_with(atomic_prefix))
    atomics_.push_back({number, symbol.substr(atomic_prefix.size())});
  if (symbol.starts_with("histolab_syncthreads")) barriers.push_back(number);
  // Sites of ranges, from the last byte of the call down (RuntimeFunction::ranges).
  const auto before = [&](int bytes) { return static_cast<SiteNumber>(number - bytes); };
  if (function.ranges >= 1) add_range(before(1), AccessKind::store, true);
  if (function.ranges >= 2) {
    add_range(before(2), AccessKind::load, false);
    add_range(before(3), AccessKind::load, true);
  }
}

void KernelSites::add_check(const CheckedPlace& check, SiteNumber number) {
  using enum NeededCheck::What;
  Site& site = (*table)[number];
  const bool is_load = check.what == read || check.what == stack_pointer;
  site.kind = is_load ? AccessKind::load : AccessKind::store;
  if (check.what == stack_pointer || check.what == frame) return;
  site.bytes = static_cast<std::uint8_t>(check.bytes);
  site.in_pieces = true;
  site.store_is_due = check.store_is_due;
  site.report_age = check.report.age;
  site.report_is_range = check.report.is_range;
  site.report_writes = check.report.writes;
  calls.push_back(number);
  if (check.what != update) return;
  site.is_update = true;
  const auto before = static_cast<SiteNumber>(number - 1);
  Site& of_read = (*table)[before];
  of_read.kind = AccessKind::load;
  of_read.bytes = site.bytes;
  of_read.in_pieces = true;
  calls.push_back(before);
}

void KernelSites::add_checks(const ConfinedCode& code, std::uint32_t begin) {
  for (const EarlyReport& early : code.early_reports) {
    (*table)[begin + early.of_write].is_early = true;
    (*table)[begin + early.next].ends_early = true;
  }
  for (const CheckedPlace& check : code.checks)
    add_check(check, static_cast<SiteNumber>(begin + check.offset));
}

void KernelSites::set_lines(const SourcePlaces& places, std::span<const WideAccess> wide_accesses,
                            std::span<const int> local_lines) {
  // A site is behind its instruction. The last call may end the text.
  for (std::size_t offset = 1; offset <= places.of.size(); ++offset) {
    Site& site = (*table)[offset];
    site.line = places.of[offset - 1].line;
    site.origin = places.of[offset - 1].origin;
    for (const WideAccess& access : wide_accesses)
      if (access.line == site.line) site.wide |= access.bytes;
    site.is_local = std::ranges::find(local_lines, site.line) != local_lines.end();
  }
}

void KernelSites::describe_atomics(const CallFacts& facts) {
  std::ranges::sort(calls);
  for (const SiteNumber number : calls)
    if (Site& site = (*table)[number]; is_atomic(site.kind))
      site.result_used = !facts.drops_result(number);
  for (const auto& [number, operation] : atomics_) {
    Site& site = (*table)[number];
    const SecondArgument argument = facts.second_argument(number);
    site.adds_one = operation.starts_with("Add_") && type_of(operation) != 'f' &&
                    argument == SecondArgument::one;
    site.effect = atomic_effect(operation, argument, site.result_used);
  }
}

}  // namespace histolab::kernels::emulator
