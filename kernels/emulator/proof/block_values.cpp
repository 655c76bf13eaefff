#include "kernels/emulator/proof/block_values.h"

#include <algorithm>

namespace histolab::kernels::emulator {

void BlockValues::begin(std::int64_t depth) {
  named_.clear();
  slots_.clear();
  next_ = 3;
  forget_all_registers();
  set(stack_register, {entry_stack, -depth});
}

void BlockValues::forget_registers() {
  for (int number = 0; number < general_registers; ++number)
    if ((kept_by_calls >> number & 1) == 0) set(number, unknown());
}

void BlockValues::forget_all_registers() {
  for (int number = 0; number < general_registers; ++number)
    if (number != stack_register) set(number, unknown());
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

CodeValue BlockValues::with_symbol(CodeValue a, std::uint32_t symbol, RelocationKind kind) {
  const std::int64_t number =
      static_cast<std::int64_t>(kind.value) << 16 | kind.bytes << 8 | (kind.is_signed ? 1 : 0);
  return {name_of({1, a.name, symbol, number}, {}), a.plus};
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

}  // namespace histolab::kernels::emulator
