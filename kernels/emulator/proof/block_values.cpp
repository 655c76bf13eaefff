#include "kernels/emulator/proof/block_values.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace histolab::kernels::emulator {

void BlockValues::begin(std::int64_t depth) {
  named_.clear();
  slots_.clear();
  reports_.clear();
  next_ = 3;
  forget_all_registers();
  set(stack_pointer, {entry_stack, -depth});
}

void BlockValues::forget_registers() {
  for (const int number : {0, 1, 2, 6, 7, 8, 9, 10, 11}) set(number, unknown());
}

void BlockValues::forget_all_registers() {
  for (int number = 0; number < 16; ++number)
    if (number != stack_pointer) set(number, unknown());
}

std::uint32_t BlockValues::name_of(std::array<std::int64_t, 4> key, std::vector<Term> terms) {
  for (const Named& known : named_)
    if (known.key == key && known.terms == terms) return known.name;
  return named_.emplace_back(Named{key, std::move(terms), next_++}).name;
}

void BlockValues::add(std::vector<Term>& terms, std::uint32_t name, std::int64_t times) const {
  if (name == 0) return;
  const auto known = std::ranges::find(named_, name, &Named::name);
  if (known != named_.end() && !known->terms.empty()) {
    for (const Term& term : known->terms) terms.push_back({term.name, term.times * times});
  } else {
    terms.push_back({name, times});
  }
}

// The same sum has the same name, in whatever order it was added up. The constant is kept apart
// from the name, so [a + 4] can be compared with [a].
CodeValue BlockValues::sum(CodeValue a, CodeValue b, std::uint32_t scale) {
  // Unsigned, so that it wraps around as in machine code: the constants are untrusted.
  const auto plus = static_cast<std::int64_t>(static_cast<std::uint64_t>(a.plus) +
                                              static_cast<std::uint64_t>(b.plus) * scale);
  if (b.name == 0) return {a.name, plus};
  if (a.name == 0 && scale == 1) return {b.name, plus};
  std::vector<Term> terms;
  add(terms, a.name, 1);
  add(terms, b.name, scale);
  if (terms.size() > 8) return unknown();
  std::ranges::sort(terms, {}, &Term::name);
  std::vector<Term> merged;
  for (const Term& term : terms) {
    if (!merged.empty() && merged.back().name == term.name)
      merged.back().times += term.times;
    else
      merged.push_back(term);
  }
  return {name_of({}, std::move(merged)), plus};
}

CodeValue BlockValues::with_symbol(CodeValue a, std::uint32_t symbol, std::uint32_t type) {
  return {name_of({1, a.name, symbol, type}, {}), a.plus};
}

CodeValue BlockValues::extended(CodeValue a, bool is_signed) {
  return {name_of({is_signed ? 2 : 3, a.name, a.plus, 0}, {}), 0};
}

CodeValue BlockValues::load(std::int64_t offset, std::uint32_t bytes) {
  for (const Slot& slot : slots_)
    if (slot.offset == offset && slot.bytes == bytes) return slot.value;
  const CodeValue value = unknown();
  slots_.push_back({offset, bytes, value});
  return value;
}

void BlockValues::store(std::int64_t offset, std::uint32_t bytes, CodeValue value) {
  store_unknown(offset, bytes);
  slots_.push_back({offset, bytes, value});
}

void BlockValues::store_unknown(std::int64_t offset, std::uint32_t bytes) {
  std::erase_if(slots_, [&](const Slot& slot) {
    return slot.offset < offset + static_cast<std::int64_t>(bytes) &&
           offset < slot.offset + static_cast<std::int64_t>(slot.bytes);
  });
}

namespace {

constexpr std::uint32_t most_copied_bytes = 4096;  // for larger copies the compiler calls memcpy

}  // namespace

bool BlockValues::Report::is_in_use() const { return std::ranges::find(used, true) != used.end(); }

// A copy of 7 bytes moves bytes 0 to 3 and 3 to 6. So the last move of a copy may repeat bytes, if
// the size of the copy is not a power of two.
bool BlockValues::Report::covers(std::int64_t begin, std::uint32_t bytes) const {
  const auto size = static_cast<std::int64_t>(used.size());
  if (is_over || begin < 0 || begin > size - std::int64_t{bytes}) return false;
  const std::int64_t end = begin + std::int64_t{bytes};
  const auto first = used.begin() + begin, last = used.begin() + end;
  if (std::find(first, last, true) == last) return true;
  const bool overlaps_end = end == size && !std::has_single_bit(used.size());
  return overlaps_end && !used.back() && std::is_sorted(first, last, std::greater<>());
}

// An access to a bit-field may be narrower than its report. It ends the report.
void BlockValues::Report::use(std::int64_t begin, std::uint32_t bytes) {
  std::fill_n(used.begin() + begin, bytes, true);
  is_over = bytes < 4 && bytes < used.size() && std::has_single_bit(used.size());
}

void BlockValues::report(CodeValue address, std::uint32_t bytes, bool writes, bool is_range,
                         std::uint32_t call) {
  std::erase_if(reports_, [&](const Report& r) { return r.writes == writes || r.is_in_use(); });
  for (Report& older : reports_) ++older.age;
  if (bytes > most_copied_bytes) return;
  reports_.push_back({.address = address,
                      .writes = writes,
                      .is_range = is_range,
                      .call = call,
                      .used = std::vector<bool>(bytes)});
}

bool BlockValues::use_report(CodeValue address, std::uint32_t bytes, bool writes) {
  Report* of_write = nullptr;
  for (Report& report : reports_) {
    const auto begin = static_cast<std::int64_t>(static_cast<std::uint64_t>(address.plus) -
                                                 static_cast<std::uint64_t>(report.address.plus));
    if (report.address.name != address.name || !report.covers(begin, bytes)) continue;
    if (report.writes != writes) {
      if (report.writes && !report.is_in_use()) of_write = &report;
      continue;
    }
    report.use(begin, bytes);
    return true;
  }
  return of_write != nullptr;
}

BlockValues::ReportToCompare BlockValues::take_report(std::uint32_t bytes, bool writes) {
  ReportToCompare taken;
  for (Report& report : reports_) {
    const auto free = std::ranges::find(report.used, false) - report.used.begin();
    if (!report.covers(free, bytes)) continue;
    if (report.writes == writes) {
      report.use(free, bytes);
      return {report.age, report.is_range, report.writes};
    }
    if (report.writes && !report.is_in_use()) taken = {report.age, report.is_range, report.writes};
  }
  return taken;
}

std::optional<std::uint32_t> BlockValues::store_due() const {
  for (const Report& report : reports_)
    if (report.writes && !report.is_over &&
        std::ranges::find(report.used, false) != report.used.end())
      return report.call;
  return std::nullopt;
}

}  // namespace histolab::kernels::emulator
