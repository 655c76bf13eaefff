#include "kernels/cuda/plan.h"

#include <algorithm>
#include <bit>

namespace histolab::kernels::cuda {
namespace {

constexpr unsigned part_of(unsigned bins, unsigned parts) { return ((bins + parts - 1) / parts + 31) / 32 * 32; }

// As many copies as fit and as are worth clearing, and no more than one for each lane; hashed where so few are left
// that lanes could collide.
void add_copies(Plan& plan, unsigned words, std::size_t samples_per_block) {
  words = static_cast<unsigned>(std::min<std::size_t>(words, samples_per_block / 4));
  while (plan.log_copies < 5 && counter_words(plan.part_bins, plan.log_copies + 1) <= words) ++plan.log_copies;
  plan.hashed = plan.log_copies < 4;
}

// Counters, levels and a table of pieces share the memory. Parts only when one copy of the counters and the levels do
// not fit; what is left goes to the table first, because a search costs more than a collision does.
Plan choose_table(const Bins& bins, std::size_t samples_per_block, unsigned words) {
  constexpr unsigned least_log_pieces = 12, most_log_pieces = 15, few = 32;
  Plan plan{.binner = Binner::table, .bins = bins.count, .part_bins = bins.count, .log_pieces = least_log_pieces};
  const auto fits = [&](unsigned log_pieces) {
    return counter_words(plan.part_bins, 0) + table_words(log_pieces, plan.part_bins) <= words;
  };
  while (!fits(least_log_pieces)) plan.part_bins = part_of(bins.count, ++plan.parts);
  while (bins.count > few && plan.log_pieces < most_log_pieces && samples_per_block >> (plan.log_pieces + 2) > 0 &&
         fits(plan.log_pieces + 1))
    ++plan.log_pieces;
  if (plan.parts > 1) plan.strategy = Strategy::parts;
  add_copies(plan, words - table_words(plan.log_pieces, plan.part_bins), samples_per_block);
  return plan;
}

}  // namespace

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::byte_values: return "byte-values";
    case Strategy::copies: return "copies";
    case Strategy::parts: return "parts";
    case Strategy::values_then_fold: return "values-then-fold";
  }
  return "?";
}

Plan choose(SampleType type, const Bins& bins, std::size_t samples_per_block, unsigned shared_bytes) {
  const unsigned words = shared_bytes / 4;
  Plan plan{.bins = bins.count, .part_bins = bins.count};
  if (type == SampleType::u8) {
    plan.strategy = Strategy::byte_values;
    return plan;
  }
  const std::uint64_t values = type == SampleType::u16 ? 1ull << 16 : 1ull << 32, span = bins.upper - bins.lower;
  const bool uneven = bins.levels != nullptr;
  if (uneven && type == SampleType::u32) return choose_table(bins, samples_per_block, words);
  if (uneven && counter_words(bins.count, 0) + lookup_words <= words) {
    plan.binner = Binner::lookup;
    add_copies(plan, words - lookup_words, samples_per_block);
    return plan;
  }
  if (type == SampleType::u16 && (uneven || bins.count >= span)) {
    const bool identity = !uneven && bins.lower == 0 && bins.upper == values && bins.count == values;
    if (!identity) {
      plan = choose(SampleType::u16, {.count = 65536, .lower = 0, .upper = 65536}, samples_per_block, shared_bytes);
      plan.strategy = Strategy::values_then_fold;
      return plan;
    }
  }
  const bool whole = bins.lower == 0 && bins.upper == values && std::has_single_bit(bins.count);
  plan.binner = whole ? Binner::shift : Binner::product;
  while (counter_words(plan.part_bins, 0) > words) plan.part_bins = part_of(bins.count, ++plan.parts);
  if (plan.parts > 1) plan.strategy = Strategy::parts;
  add_copies(plan, words, samples_per_block);
  return plan;
}

unsigned words_of(const Plan& plan) {
  const unsigned table = plan.binner == Binner::table    ? table_words(plan.log_pieces, plan.part_bins)
                         : plan.binner == Binner::lookup ? lookup_words
                                                         : 0;
  return counter_words(plan.part_bins, plan.log_copies) + table;
}

}  // namespace histolab::kernels::cuda
