#include "kernels/cuda/plan.h"

#include <algorithm>
#include <bit>

#include "kernels/cuda/partition.h"

namespace histolab::kernels::cuda {
namespace {

// Steps of the searches for all samples of a block that take as long as building a table (13 to 18
// us on an H200).
constexpr std::size_t few_steps = 196608;

// If there are more bins than bins_of_a_short_block, clearing and adding them takes a block too
// long. Few samples are then counted by blocks that have few bins each and read all samples, or, if
// there are few samples per bin, in global memory.
constexpr unsigned bins_of_a_short_block = 1024, bins_of_a_short_part = 512,
                   least_bytes_of_short_parts = 16384, samples_of_direct_bin = 16,
                   least_bytes_of_direct = 2048;

// For so few bins, clearing and adding the counters takes less time than counting 16 KiB.
constexpr unsigned few_bins = 4096;

constexpr unsigned part_of(unsigned bins, unsigned parts) {
  return ((bins + parts - 1) / parts + 31) / 32 * 32;
}

// If a block uses more shared memory than this, an H200 has only 28 KiB left for loads in flight,
// too little to keep the memory busy. More copies are worth that only if look-ups in a table of all
// values also collide. Measured with 512 uneven bins, 32 copies instead of 16: 92 instead of 97 %
// of the read limit for 32-bit samples, which seldom collide; 67 instead of 58 % for 16-bit
// samples, which do.
constexpr unsigned most_words_for_copies = (195 * 1024 - own_shared_bytes) / 4;

// One-byte samples per block from which one copy of the counters per lane is worth clearing.
constexpr std::size_t samples_for_all_copies = 12288;

// Uses as many copies as fit and are worth clearing, up to one per lane. Uses the hash if there are
// so few copies that lanes can collide.
void add_copies(Plan& plan, unsigned shared_words, unsigned taken_words,
                std::size_t samples_per_block) {
  const std::size_t words = std::min<std::size_t>(
      shared_words > taken_words ? shared_words - taken_words : 0, samples_per_block / 4);
  while (plan.log_copies < 5 && counter_words(plan.part_bins, plan.log_copies + 1) <= words)
    ++plan.log_copies;
  plan.hashed = plan.log_copies < 4;
}

// Divides the bins into parts whose counters fit.
void divide(Plan& plan, unsigned shared_words) {
  while (counter_words(plan.part_bins, 0) > shared_words)
    plan.part_bins = part_of(plan.bins, ++plan.parts);
}

// Plans a stride for even bins if there are few samples. Returns false and leaves the plan
// unchanged if there are too many samples.
bool shorten(Plan& plan, std::size_t length, unsigned sample_bytes, const Chip& chip,
             unsigned shared_words) {
  const std::size_t bytes = length * sample_bytes;
  if (choose_walk(bytes, chip) != Walk::stride) return false;
  if (plan.bins <= bins_of_a_short_block) {
    add_copies(plan, std::min(shared_words, most_words_for_copies) / 2, 0,
               length / stride_blocks(bytes, stride_bytes, chip) / 2);
  } else if (stride_blocks(bytes, least_bytes_of_short_parts, chip) == 1) {
    plan.strategy = Strategy::parts;
    plan.part_bins = bins_of_a_short_part;
    plan.parts = (plan.bins + plan.part_bins - 1) / plan.part_bins;
    plan.hashed = true;
  } else if (length <= std::size_t{samples_of_direct_bin} * plan.bins) {
    plan = {.strategy = Strategy::direct,
            .binner = plan.binner,
            .bins = plan.bins,
            .part_bins = plan.bins};
  } else if (plan.bins <= few_bins) {
    plan.hashed = true;
  } else {
    return false;
  }
  plan.walk = Walk::stride;
  plan.least_bytes = plan.strategy == Strategy::direct  ? least_bytes_of_direct
                     : plan.strategy == Strategy::parts ? least_bytes_of_short_parts
                                                        : stride_bytes;
  return true;
}

// Counters, levels and a table of pieces share the memory. Bins are divided into parts only if one
// copy of the counters and the levels does not fit. The remaining memory goes to the table first,
// because a search costs more than a collision.
Plan choose_table(const Bins& bins, std::size_t samples_per_block, unsigned words) {
  constexpr unsigned least_log_pieces = 12, most_log_pieces = 15, few = 32;
  Plan plan{.binner = Binner::table,
            .bins = bins.count,
            .part_bins = bins.count,
            .log_pieces = least_log_pieces};
  const auto fits = [&](unsigned log_pieces) {
    return counter_words(plan.part_bins, 0) + table_words(log_pieces, plan.part_bins) <= words;
  };
  while (!fits(least_log_pieces)) plan.part_bins = part_of(bins.count, ++plan.parts);
  while (bins.count > few && plan.log_pieces < most_log_pieces &&
         samples_per_block >> (plan.log_pieces + 2) > 0 && fits(plan.log_pieces + 1))
    ++plan.log_pieces;
  if (plan.parts > 1) plan.strategy = Strategy::parts;
  add_copies(plan, std::min(words, most_words_for_copies),
             table_words(plan.log_pieces, plan.part_bins), samples_per_block);
  return plan;
}

}  // namespace

bool has_short_shares(std::size_t bytes, unsigned least_bytes, const Chip& chip) {
  const unsigned blocks = stride_blocks(bytes, least_bytes, chip);
  return blocks > 1 && bytes / blocks < 2 * std::size_t{least_bytes};
}

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::byte_values: return "byte-values";
    case Strategy::copies: return "copies";
    case Strategy::parts: return "parts";
    case Strategy::values_then_fold: return "values-then-fold";
    case Strategy::direct: return "direct";
  }
  return "?";
}

// A share of the bytes compensates the different speeds of the multiprocessors, and a constant
// gives each multiprocessor some tickets at the end. Tried on an H200 for 2^26 to 2^30 bytes: 2 to
// 6 % and 0 to 230 KiB; these values were the fastest. The blocks' ranges are whole rounds, so up
// to one round per block is added.
std::size_t dealt_in_tickets(std::size_t bytes, const Chip& chip) {
  constexpr std::size_t bytes_per_multiprocessor = 152 * 1024, one_in = 32;
  return chip.multiprocessors * bytes_per_multiprocessor + bytes / one_in;
}

Walk choose_walk(std::size_t bytes, const Chip& chip) {
  return bytes <= dealt_in_tickets(bytes, chip) ? Walk::stride : Walk::sweep;
}

unsigned stride_blocks(std::size_t bytes, unsigned least_bytes, const Chip& chip) {
  if (bytes <= 2 * std::size_t{least_bytes}) return 1;
  const std::size_t first = std::min<std::size_t>(bytes / least_bytes, chip.multiprocessors);
  return static_cast<unsigned>(
      std::clamp<std::size_t>(bytes / least_bytes / 2, first, chip.multiprocessors * 2));
}

Plan choose(SampleType type, const Bins& bins, std::size_t length, const Chip& chip) {
  const unsigned words = (chip.shared_bytes - own_shared_bytes) / 4;
  Plan plan{.bins = bins.count, .part_bins = bins.count};
  if (type == SampleType::u8) {
    plan.strategy = Strategy::byte_values;
    plan.walk = choose_walk(length, chip);
    plan.least_bytes = plan.walk == Walk::stride ? stride_bytes : ticket_bytes;
    plan.log_copies =
        plan.walk == Walk::sweep || length / chip.multiprocessors >= samples_for_all_copies ? 5 : 2;
    return plan;
  }
  const auto samples_per_block = [&](unsigned least_bytes) {
    return std::min(
        length, std::max(std::size_t{least_bytes / bytes_of(type)}, length / chip.multiprocessors));
  };
  const std::size_t few = samples_per_block(ticket_bytes),
                    samples = samples_per_block(plan.least_bytes);
  const std::uint64_t values = type == SampleType::u16 ? 1ull << 16 : 1ull << 32,
                      span = bins.upper - bins.lower;
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
    const bool identity =
        !uneven && bins.lower == 0 && bins.upper == values && bins.count == values;
    if (!identity) {
      plan = {.strategy = Strategy::values_then_fold,
              .bins = 65536,
              .part_bins = 65536,
              .hashed = true};
      divide(plan, words);
      return plan;
    }
  }
  const bool whole = bins.lower == 0 && bins.upper == values && std::has_single_bit(bins.count);
  plan.binner = whole ? Binner::shift : Binner::product;
  divide(plan, words);
  if (plan.parts > 1) plan.strategy = Strategy::parts;
  if (bins.count <= few_bins) plan.least_bytes = ticket_bytes;
  if (shorten(plan, length, bytes_of(type), chip, words)) return plan;
  add_copies(plan, std::min(words, most_words_for_copies), 0,
             bins.count <= few_bins ? few : samples);
  return plan;
}

unsigned words_of(const Plan& plan) {
  const unsigned table = plan.binner == Binner::table ? table_words(plan.log_pieces, plan.part_bins)
                         : plan.binner == Binner::search ? search_words(plan.part_bins)
                         : plan.binner == Binner::lookup ? lookup_words
                                                         : 0;
  return counter_words(plan.part_bins, plan.log_copies) + table;
}

}  // namespace histolab::kernels::cuda
