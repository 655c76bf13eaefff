// Tests every kernel and every strategy on a GPU: awkward lengths, every alignment, poisoned
// results. Skipped (exit status 77) without a GPU.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "datasets/random.h"
#include "kernels/cuda/bin_by_definition.h"
#include "kernels/cuda/histogram.h"
#include "kernels/cuda/plan.h"
#include "kernels/cuda/reference_count.h"
#include "kernels/gpu/runtime.h"

namespace {

using namespace histolab::kernels::cuda;
using histolab::kernels::gpu::check;
using histolab::kernels::gpu::DeviceMemory;

constexpr std::size_t many = std::size_t{1} << 30;  // number of samples for choosing a plan
constexpr std::size_t longest = (std::size_t{1} << 20) + 13, room = 64;
const std::vector<std::size_t> lengths = {0,    1,     2,     15,    16,     17,     31,
                                          32,   33,    127,   511,   512,    513,    1023,
                                          4097, 65535, 65536, 65537, 262143, longest};

// Samples on the device and on the host at any offset below 64 bytes, and a histogram
// between guards.
template <class Sample>
struct Bed {
  std::vector<Sample> host;
  DeviceMemory data{longest * sizeof(Sample) + room}, results{(max_bins + 2) * sizeof(Count)},
      levels{(max_bins + 1) * 4};
  Workspace workspace;

  explicit Bed(std::vector<Sample> samples) : host(std::move(samples)) {}

  // Returns the counts of host[0 .. length), copied to the device at `offset` bytes.
  template <class Launch>
  std::vector<Count> run(std::size_t length, std::size_t offset, unsigned bins, Launch launch) {
    // Bytes next to the samples must not be counted.
    check(cudaMemset(data.as(), 'e', data.bytes()), "fill memory");
    check(cudaMemcpy(data.as() + offset, host.data(), length * sizeof(Sample),
                     cudaMemcpyHostToDevice),
          "copy");
    check(cudaMemset(results.as(), 0xa5, results.bytes()), "poison");
    launch(data.as() + offset, results.as<Count>() + 1);
    check(cudaDeviceSynchronize(), "run a kernel");
    std::vector<Count> got(results.bytes() / sizeof(Count));
    check(cudaMemcpy(got.data(), results.as(), results.bytes(), cudaMemcpyDeviceToHost), "copy");
    const auto begin = got.begin() + 1, end = begin + bins;
    const auto poison = [](Count count) { return count == 0xa5a5a5a5a5a5a5a5; };
    CHECK((poison(got.front()) && std::all_of(end, got.end(), poison)));
    return {begin, end};
  }
  std::vector<Count> expected(std::size_t length, const Bins& bins,
                              const std::vector<std::uint32_t>& host_levels) const {
    Bins on_host = bins;
    if (bins.levels != nullptr) on_host.levels = host_levels.data();
    std::vector<Count> counts(bins.count);
    for (std::size_t i = 0; i < length; ++i)
      if (const unsigned bin = bin_by_definition(on_host, host[i]); bin != none) ++counts[bin];
    return counts;
  }
  Bins uneven(const std::vector<std::uint32_t>& host_levels) {
    check(
        cudaMemcpy(levels.as(), host_levels.data(), host_levels.size() * 4, cudaMemcpyHostToDevice),
        "copy");
    return {static_cast<unsigned>(host_levels.size() - 1), 0, 0, levels.as<std::uint32_t>()};
  }
};

// A third of the samples has any value, a third is near a few values, a third is in runs.
template <class Sample>
std::vector<Sample> samples() {
  histolab::datasets::Random random{"correctness", sizeof(Sample)};
  std::vector<Sample> all(longest);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t r = random.next();
    switch (i % 3) {
      case 0: all[i] = static_cast<Sample>(r >> 16); break;
      case 1: all[i] = static_cast<Sample>((r % 5) * 0x1000193 + (r >> 60)); break;
      default: all[i] = static_cast<Sample>(i / 3000 * 0x9e3779b1); break;
    }
  }
  return all;
}

template <class Sample>
std::vector<std::uint32_t> random_levels(unsigned bins, bool repeated, std::uint64_t seed) {
  histolab::datasets::Random random{"levels", seed};
  std::vector<std::uint32_t> levels(bins + 1);
  for (auto& level : levels) level = static_cast<Sample>(random.next() >> 13);
  if (repeated)
    for (std::size_t i = 4; i < levels.size(); i += 3) levels[i] = levels[i - 1];
  std::sort(levels.begin(), levels.end());
  return levels;
}

// Returns every strategy that fits into shared memory for this number of bins, not only
// the chosen one.
std::vector<Plan> plans_for(SampleType type, const Bins& bins) {
  std::vector<Plan> plans = {choose(type, bins, many, current_chip())};
  const Plan chosen = plans.front();
  if (chosen.strategy == Strategy::byte_values)
    for (const unsigned log_copies : {2u, 5u}) {
      plans.push_back(chosen);
      plans.back().walk = Walk::stride;
      plans.back().log_copies = log_copies;
    }
  if (chosen.strategy != Strategy::copies && chosen.strategy != Strategy::parts) return plans;
  const bool tables = chosen.binner != Binner::shift && chosen.binner != Binner::product;
  if (!tables)
    plans.push_back({.strategy = Strategy::direct,
                     .binner = chosen.binner,
                     .bins = bins.count,
                     .part_bins = bins.count,
                     .least_bytes = 2048,
                     .walk = Walk::stride});
  if (bins.levels != nullptr) {
    Plan searched{
        .binner = Binner::search, .bins = bins.count, .part_bins = bins.count, .hashed = true};
    if (words_of(searched) * 4 + own_shared_bytes <= current_chip().shared_bytes)
      plans.push_back(searched);
  }
  if (chosen.binner == Binner::lookup) {  // also the other strategy for the same problem
    plans.push_back(
        choose(type, {.count = 65536, .lower = 0, .upper = 65536}, many, current_chip()));
    plans.back().strategy = Strategy::values_then_fold;
    return plans;
  }
  for (const unsigned parts : {1u, 2u, 3u, 7u})
    for (const unsigned log_copies : {0u, 1u, 3u, 4u, 5u})
      for (const bool hashed : {false, true}) {
        Plan plan = chosen;
        plan.parts = parts;
        plan.log_copies = log_copies;
        plan.hashed = hashed || parts > 1;
        plan.part_bins =
            parts == 1 ? bins.count : ((bins.count + parts - 1) / parts + 31) / 32 * 32;
        if (plan.binner == Binner::table) plan.log_pieces = 8 + log_copies;
        if (words_of(plan) * 4 + own_shared_bytes > current_chip().shared_bytes) continue;
        plans.push_back(plan);
        if (tables) continue;
        plans.push_back(plan);
        plans.back().walk = Walk::stride;
        plans.back().least_bytes = stride_bytes;
      }
  return plans;
}

std::string describe(const Plan& plan, std::size_t length, std::size_t offset) {
  return std::string(name_of(plan.strategy)) + " bins " + std::to_string(plan.bins) + " parts " +
         std::to_string(plan.parts) + " log_copies " + std::to_string(plan.log_copies) +
         " hashed " + std::to_string(plan.hashed) + " log_pieces " +
         std::to_string(plan.log_pieces) + (plan.walk == Walk::stride ? " stride" : "") +
         " length " + std::to_string(length) + " offset " + std::to_string(offset);
}

template <class Sample>
void check_problem(Bed<Sample>& bed, SampleType type, const Bins& bins,
                   const std::vector<std::uint32_t>& levels, const Plan& plan, std::size_t length,
                   std::size_t offset, const std::vector<Count>* expected = nullptr) {
  const std::string what = describe(plan, length, offset);
  CAPTURE(what);
  const auto got = bed.run(length, offset, bins.count, [&](const void* data, Count* histogram) {
    count({type, data, length, bins, histogram}, plan, bed.workspace, nullptr);
  });
  CHECK((got == (expected != nullptr ? *expected : bed.expected(length, bins, levels))));
}

template <class Sample>
void check_width(SampleType type) {
  Bed<Sample> bed(samples<Sample>());
  const std::uint64_t range = std::uint64_t{1} << (8 * sizeof(Sample));
  std::vector<std::pair<Bins, std::vector<std::uint32_t>>> problems;
  for (const unsigned count :
       {1u, 2u, 7u, 32u, 33u, 100u, 256u, 1000u, 4096u, 8192u, 40000u, 58111u, 65536u}) {
    problems.push_back({{count, 0, range, nullptr}, {}});
    problems.push_back({{count, range / 3, range / 3 * 2 + 5, nullptr}, {}});
    problems.push_back({{count, range - 50, range, nullptr}, {}});
    if (count > 1)
      problems.push_back(
          {{count, 0, 0, nullptr}, random_levels<Sample>(count, count % 2 == 0, count)});
  }
  problems.push_back({{3, 0, 0, nullptr}, {7, 7, 7, 7}});
  problems.push_back({{2, 0, 0, nullptr}, {0, 1, 2}});
  for (auto& [bins, levels] : problems) {
    if (!levels.empty()) bins = bed.uneven(levels);
    const auto of_all = bed.expected(longest, bins, levels);
    for (const Plan& plan : plans_for(type, bins)) {
      check_problem(bed, type, bins, levels, plan, longest, sizeof(Sample), &of_all);
      check_problem(bed, type, bins, levels, plan, 4097, 0);
    }
    for (const std::size_t length : lengths) {
      const Plan own = choose(type, bins, length, current_chip());
      check_problem(bed, type, bins, levels, own, length, 0);
    }
    const Plan plan = choose(type, bins, many, current_chip());
    for (const std::size_t length : lengths)
      check_problem(bed, type, bins, levels, plan, length, 0);
    for (std::size_t offset = 0; offset < 32; offset += sizeof(Sample))
      check_problem(bed, type, bins, levels, plan, 4097 + 7, offset);
  }
}

TEST_CASE("one-byte samples: every length at every alignment") {
  Bed<std::uint8_t> bed(samples<std::uint8_t>());
  const std::vector<std::uint32_t> letters = {'a', 'e', 'i', 'm', 'q', 'u', 'y', '{'};
  const Bins of_letters = bed.uneven(letters), values{};
  for (const std::size_t length : lengths) {
    const auto as_values = bed.expected(length, values, {}),
               as_letters = bed.expected(length, of_letters, letters);
    for (std::size_t offset = 0; offset < 32; ++offset) {
      CAPTURE(length);
      CAPTURE(offset);
      CHECK((as_values == bed.run(length, offset, 256, [&](const void* data, Count* histogram) {
        count({SampleType::u8, data, length, values, histogram}, bed.workspace, nullptr);
      })));
      CHECK((as_letters ==
             bed.run(length, offset, letter_bins, [&](const void* data, Count* histogram) {
               count_letters(static_cast<const std::uint8_t*>(data), length, histogram,
                             bed.workspace, nullptr);
             })));
      CHECK((as_letters ==
             bed.run(length, offset, letter_bins, [&](const void* data, Count* histogram) {
               count_letters(static_cast<const std::uint8_t*>(data), length, Walk::sweep, histogram,
                             bed.workspace, nullptr);
             })));
    }
  }
}
TEST_CASE("one-byte samples: any bins") { check_width<std::uint8_t>(SampleType::u8); }
TEST_CASE("16-bit samples: any bins, every strategy") {
  check_width<std::uint16_t>(SampleType::u16);
}
TEST_CASE("32-bit samples: any bins, every strategy") {
  check_width<std::uint32_t>(SampleType::u32);
}

// With the default, blocks have their own ranges in addition to tickets (on an H200 from 30 MB on).
// With 10 MB, each block of a stride has some rounds.
template <class Sample>
void check_long(SampleType type, const Bins& bins, std::size_t bytes = std::size_t{1} << 27) {
  const std::size_t length = bytes / sizeof(Sample) + 13;
  const std::vector<Sample> pattern = samples<Sample>();
  DeviceMemory data((length + 1) * sizeof(Sample)), results(2 * max_bins * sizeof(Count));
  Sample* const first = data.as<Sample>() + 1;
  for (std::size_t at = 0; at < length; at += pattern.size())
    check(
        cudaMemcpy(first + at, pattern.data(),
                   std::min(pattern.size(), length - at) * sizeof(Sample), cudaMemcpyHostToDevice),
        "copy");
  check(cudaMemset(results.as(), 0xa5, results.bytes()), "poison");
  Count *const got = results.as<Count>(), *const expected = got + max_bins;
  const Workspace workspace;
  count({type, first, length, bins, got}, workspace, nullptr);
  count_by_definition({type, first, length, bins, expected}, nullptr);
  std::vector<Count> both(2 * max_bins);
  check(cudaMemcpy(both.data(), results.as(), results.bytes(), cudaMemcpyDeviceToHost), "copy");
  CAPTURE(bins.count);
  CHECK(std::equal(both.begin(), both.begin() + bins.count, both.begin() + max_bins));
}
TEST_CASE("rounds of a stride") {
  constexpr std::size_t bytes = 10'000'000;
  check_long<std::uint8_t>(SampleType::u8, {}, bytes);
  check_long<std::uint8_t>(SampleType::u8, {}, bytes / 10);
  check_long<std::uint8_t>(SampleType::u8, {.count = 7, .lower = 3, .upper = 200}, bytes);
  for (const unsigned count : {2u, 1000u, 4096u, 65536u}) {
    check_long<std::uint16_t>(SampleType::u16, {.count = count, .lower = 0, .upper = 65536}, bytes);
    check_long<std::uint32_t>(SampleType::u32,
                              {.count = count, .lower = 0, .upper = std::uint64_t{1} << 32}, bytes);
    check_long<std::uint32_t>(
        SampleType::u32, {.count = count, .lower = 0, .upper = std::uint64_t{1} << 32}, bytes / 10);
  }
}
TEST_CASE("ranges of a block's own, and tickets") {
  check_long<std::uint8_t>(SampleType::u8, {});
  check_long<std::uint8_t>(SampleType::u8, {.count = 7, .lower = 3, .upper = 200});
  for (const unsigned count : {2u, 1000u, 65536u}) {
    check_long<std::uint16_t>(SampleType::u16, {.count = count, .lower = 0, .upper = 65536});
    check_long<std::uint32_t>(SampleType::u32,
                              {.count = count, .lower = 0, .upper = std::uint64_t{1} << 32});
  }
}

// Launches follow each other without synchronization. Each one must restore the workspace.
TEST_CASE("launches follow each other on a stream") {
  Bed<std::uint8_t> bed(samples<std::uint8_t>());
  check(cudaMemcpy(bed.data.as(), bed.host.data(), longest, cudaMemcpyHostToDevice), "copy");
  constexpr unsigned launches = 300;
  DeviceMemory results(launches * 256 * sizeof(Count));
  check(cudaMemset(results.as(), 0xa5, results.bytes()), "poison");
  const auto length_of = [](unsigned launch) { return longest - launch * std::size_t{3461}; };
  for (unsigned launch = 0; launch < launches; ++launch)
    count(
        {SampleType::u8, bed.data.as(), length_of(launch), {}, results.as<Count>() + launch * 256},
        bed.workspace, nullptr);
  std::vector<Count> got(launches * 256);
  check(cudaMemcpy(got.data(), results.as(), results.bytes(), cudaMemcpyDeviceToHost), "copy");
  std::vector<Count> expected(256);
  std::size_t counted = 0;
  for (unsigned launch = launches; launch-- > 0;) {
    for (; counted < length_of(launch); ++counted) ++expected[bed.host[counted]];
    CAPTURE(launch);
    CHECK(std::equal(expected.begin(), expected.end(), got.begin() + launch * 256));
  }
}

TEST_CASE("the reference kernel and the host count the same") {
  Bed<std::uint16_t> bed(samples<std::uint16_t>());
  const Bins bins{1000, 5, 60000, nullptr};
  const auto got = bed.run(longest, 2, bins.count, [&](const void* data, Count* histogram) {
    count_by_definition({SampleType::u16, data, longest, bins, histogram}, nullptr);
  });
  CHECK((got == bed.expected(longest, bins, {})));
}

TEST_CASE("more than 2^32 samples") {
  const std::size_t length = (std::size_t{1} << 32) + 77;
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "ask for the free memory");
  if (free < length + (std::size_t{1} << 30)) {
    MESSAGE("skipped: this GPU has no 5 GiB to spare");
    return;
  }
  DeviceMemory data(length), histogram(256 * sizeof(Count));
  check(cudaMemset(data.as(), 'e', length), "fill memory");
  std::vector<Count> got(256);
  const Workspace workspace;
  count({SampleType::u8, data.as(), length, {}, histogram.as<Count>()}, workspace, nullptr);
  check(cudaMemcpy(got.data(), histogram.as(), histogram.bytes(), cudaMemcpyDeviceToHost), "copy");
  CHECK(got['e'] == length);
  count_letters(data.as(), length, histogram.as<Count>(), workspace, nullptr);
  check(cudaMemcpy(got.data(), histogram.as(), letter_bins * sizeof(Count), cudaMemcpyDeviceToHost),
        "copy");
  CHECK(got[1] == length);
  CHECK(got[0] == 0);
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 77;
  return doctest::Context(argc, argv).run();
}
