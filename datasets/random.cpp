#include "datasets/random.h"

#include <cassert>
#include <cstddef>
#include <vector>

#include "reference/fnv1a.h"

// The compiler makes a second version for processors with AVX2, which is 1.5 times as fast. The
// program selects one when it starts. Sanitizers do not support this selection.
#if defined(__x86_64__) && !defined(HISTOLAB_SANITIZED)
#define FASTER_WITH_AVX2 [[gnu::target_clones("avx2", "default")]]
#else
#define FASTER_WITH_AVX2
#endif

namespace histolab::datasets {
namespace {

constexpr int rounds_of_data = 8;

// Word i of eight blocks.
constexpr std::size_t blocks_at_once = 8;
typedef std::uint32_t Words __attribute__((vector_size(4 * blocks_at_once)));

inline void add_and_turn(Words& sum, const Words& added, Words& turned, int bits) {
  sum += added;
  turned ^= sum;
  turned = turned << bits | turned >> (32 - bits);
}

inline void quarter_round(Words& a, Words& b, Words& c, Words& d) {
  add_and_turn(a, b, d, 16);
  add_and_turn(c, d, b, 12);
  add_and_turn(a, b, d, 8);
  add_and_turn(c, d, b, 7);
}

}  // namespace

FASTER_WITH_AVX2 void chacha_blocks(const ChaChaKey& key, std::uint64_t first, int rounds,
                                    std::span<std::uint64_t, chacha_numbers> out) {
  static constexpr std::array<std::uint32_t, 4> constants = {0x61707865, 0x3320646e, 0x79622d32,
                                                             0x6b206574};
  std::array<Words, 16> begin{};
  for (std::size_t i = 0; i < 4; ++i) begin[i] += constants[i];
  for (std::size_t i = 0; i < 8; ++i) begin[4 + i] += key.words[i];
  for (std::size_t lane = 0; lane < blocks_at_once; ++lane) {
    begin[12][lane] = static_cast<std::uint32_t>(first + lane);
    begin[13][lane] = static_cast<std::uint32_t>((first + lane) >> 32);
  }
  begin[14] += static_cast<std::uint32_t>(key.nonce);
  begin[15] += static_cast<std::uint32_t>(key.nonce >> 32);

  std::array<Words, 16> x = begin;
  for (int round = 0; round < rounds; round += 2) {
    for (std::size_t i = 0; i < 4; ++i) quarter_round(x[i], x[4 + i], x[8 + i], x[12 + i]);
    for (std::size_t i = 0; i < 4; ++i)
      quarter_round(x[i], x[4 + (i + 1) % 4], x[8 + (i + 2) % 4], x[12 + (i + 3) % 4]);
  }
  for (std::size_t i = 0; i < 16; ++i) x[i] += begin[i];
  for (std::size_t lane = 0; lane < blocks_at_once; ++lane)
    for (std::size_t i = 0; i < 16; i += 2)
      out[8 * lane + i / 2] = x[i][lane] | std::uint64_t{x[i + 1][lane]} << 32;
}

Random::Random(std::string_view dataset, std::uint64_t seed) : Random(seed) {
  key_.nonce = reference::fnv1a(dataset);
  for (int step = 0; step < 64; ++step) {
    refill();
    for (std::size_t i = 0; i < 4; ++i) {
      key_.words[2 * i] = static_cast<std::uint32_t>(numbers_[i]);
      key_.words[2 * i + 1] = static_cast<std::uint32_t>(numbers_[i] >> 32);
    }
    block_ = 0;
  }
  next_ = chacha_numbers;
}

void Random::refill() {
  chacha_blocks(key_, block_, rounds_of_data, numbers_);
  block_ += blocks_at_once;
  next_ = 0;
}

template <unsigned outcome_bits>
Weighted<outcome_bits>::Weighted(std::span<const std::uint64_t> weights) {
  assert(weights.size() <= outcomes);
  // Capacity of a column, if every weight is multiplied by the number of columns.
  std::uint64_t column = 0;
  for (const std::uint64_t weight : weights) column += weight;
  assert(column > 0 && column < std::uint64_t{1} << (outcome_bits == 8 ? 40 : 47));

  std::vector<std::uint64_t> left(outcomes);
  for (std::size_t i = 0; i < weights.size(); ++i) left[i] = weights[i] * outcomes;

  // Integer arithmetic is exact: the donors give what the others lack, so both lists end together
  // and every column is full.
  std::vector<std::size_t> lacking, donors;
  for (std::size_t i = 0; i < outcomes; ++i) {
    columns_[i] = static_cast<std::uint32_t>(i);  // a full column is its own alias
    if (left[i] != column) (left[i] < column ? lacking : donors).push_back(i);
  }
  while (!lacking.empty()) {
    assert(!donors.empty());
    const std::size_t poor = lacking.back(), rich = donors.back();
    lacking.pop_back();
    columns_[poor] =
        static_cast<std::uint32_t>((left[poor] << share_bits) / column << outcome_bits | rich);
    left[rich] -= column - left[poor];
    if (left[rich] > column) continue;
    donors.pop_back();
    if (left[rich] < column) lacking.push_back(rich);
  }
}

template class Weighted<8>;
template class Weighted<16>;

}  // namespace histolab::datasets
