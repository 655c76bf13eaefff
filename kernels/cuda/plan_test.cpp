#include "kernels/cuda/plan.h"

#include <doctest/doctest.h>

#include "kernels/cuda/partition.h"
#include "kernels/cuda/workspace.h"

namespace histolab::kernels::cuda {
namespace {

constexpr Chip h200{132, 232448}, turing{72, 65536};
constexpr std::size_t many = std::size_t{1} << 30;
constexpr std::uint64_t all_u16 = 1ull << 16, all_u32 = 1ull << 32;
const std::uint32_t some_levels[2] = {};

TEST_CASE("a plan fits into shared memory, and its parts cover all bins") {
  for (const std::size_t length : {std::size_t{0}, std::size_t{1000}, std::size_t{4000000}, many})
    for (const Chip& chip : {turing, Chip{84, 101376}, Chip{108, 166912}, h200})
      for (unsigned bins = 1; bins <= max_bins; bins += bins < 40 ? 1 : 997)
        for (const SampleType type : {SampleType::u16, SampleType::u32})
          for (const Bins& of : {Bins{bins, 0, type == SampleType::u16 ? all_u16 : all_u32},
                                 Bins{bins, 7, 60000}, Bins{bins, 0, 0, some_levels}}) {
            const Plan plan = choose(type, of, length, chip);
            CAPTURE(bins);
            CAPTURE(chip.shared_bytes);
            if (plan.strategy != Strategy::direct)  // has its own cache
              CHECK(words_of(plan) * 4 + own_shared_bytes <= chip.shared_bytes);
            CHECK(plan.part_bins * plan.parts >= plan.bins);
            CHECK(plan.bins == (plan.strategy == Strategy::values_then_fold ? 65536 : bins));
            if (plan.strategy != Strategy::values_then_fold)
              CHECK((plan.parts > 1) == (plan.strategy == Strategy::parts));
            const std::size_t bytes = length * bytes_of(type);
            const bool one_range =
                plan.walk == Walk::stride && stride_blocks(bytes, plan.least_bytes, chip) == 1;
            CHECK((plan.parts <= max_parts || one_range));
            if (plan.parts > 1) CHECK(plan.part_bins % 32 == 0);
          }
}

TEST_CASE("bins that would fill the shared memory leave room for the kernel's own variables") {
  const Plan plan =
      choose(SampleType::u16, {.count = h200.shared_bytes / 4 - 1, .lower = 0, .upper = all_u16},
             many, h200);
  CHECK(plan.parts == 2);
  CHECK(words_of(plan) * 4 + own_shared_bytes <= h200.shared_bytes);
}

TEST_CASE("few samples are not worth many copies") {
  const Bins bins{.count = 4096, .lower = 0, .upper = all_u16};
  CHECK(choose(SampleType::u16, bins, 1000, h200).log_copies == 0);
  CHECK(choose(SampleType::u16, bins, 1000000, h200).log_copies == 0);
  CHECK(choose(SampleType::u16, bins, many, h200).log_copies == 3);
  const Bins values{.count = 256, .lower = 0, .upper = 256};
  CHECK(choose(SampleType::u8, values, 1000000, h200).log_copies == 2);
  CHECK(choose(SampleType::u8, values, 4000000, h200).log_copies == 5);
  CHECK(choose(SampleType::u8, values, many, h200).log_copies == 5);
}

TEST_CASE(
    "few samples are counted by a stride, as long as a sweep would deal all of them in tickets") {
  CHECK(choose_walk(0, h200) == Walk::stride);
  CHECK(choose_walk(1 << 24, h200) == Walk::stride);
  CHECK(choose_walk(1 << 25, h200) == Walk::sweep);
  for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::u32})
    for (const unsigned count : {7u, 256u, 1024u}) {
      const Bins bins{.count = count, .lower = 0, .upper = 4096};
      CHECK(choose(type, bins, 1000, h200).walk == Walk::stride);
      CHECK(choose(type, bins, many, h200).walk == Walk::sweep);
    }
}

TEST_CASE("a stride has one block, a block for each multiprocessor, or two") {
  CHECK(stride_blocks(0, 8192, h200) == 1);
  CHECK(stride_blocks(16384, 8192, h200) == 1);
  CHECK(stride_blocks(16385, 8192, h200) == 2);
  CHECK(stride_blocks(1 << 20, 8192, h200) == 128);
  CHECK(stride_blocks(1 << 21, 8192, h200) == 132);
  CHECK(stride_blocks(3 << 20, 8192, h200) == 192);
  CHECK(stride_blocks(1 << 24, 8192, h200) == 264);
  CHECK_FALSE(has_short_shares(16384, 8192, h200));
  CHECK(has_short_shares(16385, 8192, h200));
  CHECK(has_short_shares(1 << 21, 8192, h200));
  CHECK_FALSE(has_short_shares(1 << 23, 8192, h200));
}

TEST_CASE(
    "few samples in many bins: blocks with a part of the bins each, then the results themselves") {
  for (const SampleType type : {SampleType::u16, SampleType::u32})
    for (const unsigned count : {4096u, 65536u}) {
      const Bins bins{.count = count, .lower = 0, .upper = all_u16};
      const Plan parts = choose(type, bins, 1000, h200);
      CHECK(parts.strategy == Strategy::parts);
      CHECK(parts.parts == count / 512);
      CHECK(choose(type, bins, 60000, h200).strategy == Strategy::direct);
      CHECK(choose(type, bins, many, h200).strategy != Strategy::direct);
    }
  CHECK(choose(SampleType::u16, {.count = 1000, .lower = 5, .upper = 500}, 60000, h200).strategy ==
        Strategy::values_then_fold);
}

TEST_CASE("few samples are searched for in uneven bins, many are looked up") {
  for (const SampleType type : {SampleType::u16, SampleType::u32}) {
    const Bins bins{.count = 4096, .levels = some_levels};
    CHECK(choose(type, bins, 1000, h200).binner == Binner::search);
    CHECK(choose(type, bins, 1000000, h200).binner == Binner::search);
    CHECK(choose(type, bins, 16000000, h200).binner != Binner::search);
    CHECK(choose(type, {.count = 65536, .levels = some_levels}, 1000, h200).binner !=
          Binner::search);
  }
}

TEST_CASE("choose picks strategy and binner by sample type, bins, length and chip") {
  CHECK(choose(SampleType::u8, {.count = 65536, .lower = 0, .upper = 256}, many, h200).strategy ==
        Strategy::byte_values);

  const Plan few =
      choose(SampleType::u16, {.count = 256, .lower = 0, .upper = all_u16}, many, h200);
  CHECK(few.strategy == Strategy::copies);
  CHECK(few.binner == Binner::shift);
  CHECK(few.log_copies == 5);
  CHECK_FALSE(few.hashed);

  const Plan one_copy =
      choose(SampleType::u32, {.count = 32768, .lower = 0, .upper = all_u32}, many, h200);
  CHECK(one_copy.log_copies == 0);
  CHECK(one_copy.hashed);

  const Plan all =
      choose(SampleType::u16, {.count = 65536, .lower = 0, .upper = all_u16}, many, h200);
  CHECK(all.strategy == Strategy::parts);
  CHECK(all.parts == 2);

  CHECK(choose(SampleType::u32, {.count = 1000, .lower = 0, .upper = all_u32}, many, h200).binner ==
        Binner::product);
  CHECK(choose(SampleType::u16, {.count = 1000, .lower = 5, .upper = 500}, many, h200).strategy ==
        Strategy::values_then_fold);
  CHECK(choose(SampleType::u16, {.count = 9, .levels = some_levels}, many, h200).binner ==
        Binner::lookup);
  CHECK(choose(SampleType::u16, {.count = 40000, .levels = some_levels}, many, h200).strategy ==
        Strategy::values_then_fold);
  CHECK(choose(SampleType::u16, {.count = 9, .levels = some_levels}, many, turing).strategy ==
        Strategy::values_then_fold);
  CHECK(choose(SampleType::u32, {.count = 9, .levels = some_levels}, many, h200).binner ==
        Binner::table);
}

// The blocks' rounds and the tickets cover the body; head, body and tail cover all samples.
TEST_CASE("samples are partitioned without a gap") {
  for (const std::size_t length : {0u, 1u, 15u, 511u, 512u, 513u, 100000u, 1048589u, 50000001u})
    for (std::uintptr_t address = 4096; address < 4096 + 600; address += 7)
      for (const unsigned ranges : {1u, 3u, 264u})
        for (const std::size_t dealt : {0u, 70000u, 1u << 20}) {
          constexpr unsigned round_units = 128;
          const Partition p = partition(reinterpret_cast<const void*>(address), length, 1,
                                        round_units, ranges, 2, dealt);
          const auto body = reinterpret_cast<std::uintptr_t>(p.body),
                     tail = reinterpret_cast<std::uintptr_t>(p.tail);
          CHECK((p.head_bytes == length || body % unit_bytes == 0));
          CHECK(p.head_bytes < unit_bytes);
          CHECK(p.tail_bytes < unit_bytes);
          CHECK(body == address + p.head_bytes);
          CHECK(tail + p.tail_bytes == address + length);
          CHECK(p.dealt_from == std::size_t{p.own_rounds} * ranges * round_units);
          CHECK((p.dealt_from + p.dealt_units) * unit_bytes == tail - body);
          CHECK((p.dealt_units * unit_bytes + unit_bytes > dealt || p.own_rounds == 0));
          CHECK(p.tickets * ticket_units >= p.dealt_units);
          CHECK(p.tickets * ticket_units < p.dealt_units + ticket_units);
          CHECK(p.blocks() == ranges * 2);
        }
}

}  // namespace
}  // namespace histolab::kernels::cuda
