#include "grader/lab/drawn_case.h"

#include <string>
#include <vector>

#include "grader/lab/launch_plan.h"
#include "reference/splitmix64.h"

namespace histolab::grader {
namespace {

constexpr std::uint64_t exact_below = 16, small_below = 64;
constexpr std::uint32_t warp = 32;

// Returns one of `choices`, which must not be empty.
template <class T>
T drawn_from(const std::vector<T>& choices, std::uint64_t& state) {
  return choices[reference::next_random(state) % choices.size()];
}

std::uint32_t drawn_block(std::uint32_t block, std::uint64_t& state) {
  std::vector<std::uint32_t> choices;
  for (std::uint32_t threads = block - block / 4; threads <= block; ++threads)
    if ((threads % warp == 0) == (block % warp == 0) && (threads < warp) == (block < warp))
      choices.push_back(threads);
  return drawn_from(choices, state);
}

// `block` is the number of threads per block in lab.json, `drawn` is the drawn one.
std::uint64_t drawn_length(std::uint64_t length, std::uint32_t block, std::uint32_t drawn,
                           std::uint64_t& state) {
  if (length < exact_below) return length;
  const bool small = length < small_below;
  const std::uint64_t least = small ? length : length - length / 32,
                      most = small ? length + length / 16 : length + length / 32;
  std::vector<std::uint64_t> choices;
  for (std::uint64_t elements = least; elements <= most; ++elements) {
    const auto as_before = [&](std::uint64_t before, std::uint64_t now) {
      return (length % before == 0) == (elements % now == 0);
    };
    if ((small || elements != length) && as_before(4, 4) && as_before(16, 16) &&
        as_before(block, drawn))
      choices.push_back(elements);
  }
  return choices.empty() ? length : drawn_from(choices, state);
}

std::uint64_t begin_of(const std::string& id, std::uint64_t seed) {
  return case_seed(seed, "shape", id);
}

}  // namespace

CaseSpec drawn_case(const CaseSpec& spec, std::uint64_t seed) {
  std::uint64_t state = begin_of(spec.id, seed);
  CaseSpec drawn = spec;
  if (!spec.fixed.block) drawn.block = drawn_block(spec.block, state);
  if (!spec.fixed.grid)
    drawn.grid += static_cast<std::uint32_t>(reference::next_random(state) % (spec.grid / 2 + 1));
  if (!spec.fixed.length) drawn.length = drawn_length(spec.length, spec.block, drawn.block, state);
  return drawn;
}

std::uint64_t drawn_emulated_length(const TimedCaseSpec& spec, std::uint64_t seed) {
  std::uint64_t state = begin_of(spec.id, seed);
  return spec.emulated_length + 1 + reference::next_random(state) % (spec.emulated_length / 16);
}

}  // namespace histolab::grader
