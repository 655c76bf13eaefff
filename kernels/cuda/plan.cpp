#include "kernels/cuda/plan.h"

#include <algorithm>
#include <bit>

#include "kernels/cuda/partition.h"

namespace histolab::kernels::cuda {
namespace {

// Of searches for all samples of a block: to build a table takes as long (13 to 18 us on an H200).
constexpr std::size_t few_steps = 196608;

// So few that to clear and add up their counters takes less time than to count 16 KiB.
constexpr unsigned few_bins = 4096;

constexpr unsigned part_of(unsigned bins, unsigned parts) { return ((bins + parts - 1) / parts + 31) / 32 * 32; }

// With more shared memory than this in use, an H200 has 28 KiB left for loads in flight, less than it takes to keep the
// memory busy. Copies are worth that only where look-ups in a table of all values collide too: 512 uneven bins with 32 copies
// instead of 16 are 92 instead of 97 % of the read limit for 32-bit samples that seldom collide, and 67 instead of 58 % for
// 16-bit ones that do.
constexpr unsigned most_words_for_copies = (195 * 1024 - own_shared_bytes) / 4;

// As many copies as fit and as are worth clearing, and no more than one for each lane; hashed where so few are left
// that lanes could collide.
void add_copies(Plan& plan, unsigned shared_words, unsigned taken_words, std::size_t samples_per_block) {
  const std::size_t words =
      std::min<std::size_t>(shared_words > taken_words ? shared_words - taken_words : 0, samples_per_block / 4);
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
  add_copies(plan, std::min(words, most_words_for_copies), table_words(plan.log_pieces, plan.part_bins),
             samples_per_block);
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

Plan choose(SampleType type, const Bins& bins, std::size_t length, const Chip& chip) {
  const unsigned words = (chip.shared_bytes - own_shared_bytes) / 4;
  Plan plan{.bins = bins.count, .part_bins = bins.count};
  if (type == SampleType::u8) {
    plan.strategy = Strategy::byte_values;
    plan.least_bytes = ticket_bytes;
    return plan;
  }
  const auto samples_per_block = [&](unsigned least_bytes) {
    return std::min(length, std::max(std::size_t{least_bytes / bytes_of(type)}, length / chip.multiprocessors));
  };
  const std::size_t few = samples_per_block(ticket_bytes), samples = samples_per_block(plan.least_bytes);
  const std::uint64_t values = type == SampleType::u16 ? 1ull << 16 : 1ull << 32, span = bins.upper - bins.lower;
  const bool uneven = bins.levels != nullptr;
  if (uneven && few * std::bit_width(bins.count) <= few_steps &&
      counter_words(bins.count, 0) + search_words(bins.count) <= words) {
    plan.binner = Binner::search;
    plan.least_bytes = ticket_bytes;
    add_copies(plan, std::min(words, most_words_for_copies), search_words(bins.count), few);
    return plan;
  }
  if (uneven && type == SampleType::u32) return choose_table(bins, samples, words);
  if (uneven && counter_words(bins.count, 0) + lookup_words <= words) {
    plan.binner = Binner::lookup;
    add_copies(plan, words, lookup_words, samples);
    return plan;
  }
  if (type == SampleType::u16 && (uneven || bins.count >= span)) {
    const bool identity = !uneven && bins.lower == 0 && bins.upper == values && bins.count == values;
    if (!identity) {
      plan = choose(SampleType::u16, {.count = 65536, .lower = 0, .upper = 65536}, length, chip);
      plan.strategy = Strategy::values_then_fold;
      return plan;
    }
  }
  const bool whole = bins.lower == 0 && bins.upper == values && std::has_single_bit(bins.count);
  plan.binner = whole ? Binner::shift : Binner::product;
  while (counter_words(plan.part_bins, 0) > words) plan.part_bins = part_of(bins.count, ++plan.parts);
  if (plan.parts > 1) plan.strategy = Strategy::parts;
  if (bins.count <= few_bins) plan.least_bytes = ticket_bytes;
  add_copies(plan, std::min(words, most_words_for_copies), 0, bins.count <= few_bins ? few : samples);
  return plan;
}

unsigned words_of(const Plan& plan) {
  const unsigned table = plan.binner == Binner::table    ? table_words(plan.log_pieces, plan.part_bins)
                         : plan.binner == Binner::search ? search_words(plan.part_bins)
                         : plan.binner == Binner::lookup ? lookup_words
                                                         : 0;
  return counter_words(plan.part_bins, plan.log_copies) + table;
}

}  // namespace histolab::kernels::cuda
