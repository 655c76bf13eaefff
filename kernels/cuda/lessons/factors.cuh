// The kernels with a constant factor: one instance per factor.
#pragma once

#include <utility>

#include "kernels/cuda/lessons/launch.cuh"
#include "kernels/cuda/lessons/private_copy.cuh"

namespace histolab::kernels::cuda::lessons {

enum class Manner { plain, ahead, aggregated };

// Launches the instance for the factor. Returns false if it does not exist. Factors for letters:
// powers of two from 2 to 256, 33, 65 and 129; ahead: 4 and 16; aggregated: 16. Factor for leading
// bits: 16.
template <template <unsigned> class Schedule>
bool launch_with_factor(const Work& work, unsigned factor, Manner manner) {
  bool found = false;
  with_types(work, [&](const auto* data, auto binning) {
    using E = std::remove_cvref_t<decltype(*data)>;
    using B = decltype(binning);
    const auto run = [&](auto* kernel) {
      start(work, kernel, blocks_for(work, factor), work.bins * sizeof(unsigned), data, work.length,
            binning, work.histo);
      found = true;
    };
    const auto plain = [&]<unsigned constant>() {
      if (factor == constant) run(shared_copy<Schedule<constant>, E, B>);
    };
    if constexpr (std::is_same_v<B, Letters>) {
      if (manner == Manner::aggregated && factor == 16)
        run(shared_copy_aggregated<Schedule<16>, E, B>);
      if (manner == Manner::ahead && factor == 4) run(shared_copy_ahead<Schedule<4>, E, B>);
      if (manner == Manner::ahead && factor == 16) run(shared_copy_ahead<Schedule<16>, E, B>);
      if (manner == Manner::plain) {
        plain.template operator()<33>();
        plain.template operator()<65>();
        plain.template operator()<129>();
        [&]<unsigned... log>(std::integer_sequence<unsigned, log...>) {
          (plain.template operator()<(2u << log)>(), ...);
        }
        (std::make_integer_sequence<unsigned, 8>{});
      }
    } else if (manner == Manner::plain) {
      plain.template operator()<16>();
    }
  });
  return found;
}

// Launches the kernel called `name`, name-ahead or name-aggregated. Returns false for other names.
template <template <unsigned> class Schedule>
bool launch_named(const Choice& choice, const Work& work, const std::string& name) {
  if (choice.kernel == name)
    return launch_with_factor<Schedule>(work, choice.factor, Manner::plain);
  if (choice.kernel == name + "-ahead")
    return launch_with_factor<Schedule>(work, choice.factor, Manner::ahead);
  return choice.kernel == name + "-aggregated" &&
         launch_with_factor<Schedule>(work, choice.factor, Manner::aggregated);
}

}  // namespace histolab::kernels::cuda::lessons
