// Elements and how they are binned.
//
// An element holds one key. Elements of 1, 2 and 4 bytes are their key; one of 16 bytes is a record of four words whose XOR is the
// key, so that no part of it can be left unread. A binning calls count(bin) for an element that has a bin, and not for others.
#pragma once

#include <cstdint>

namespace histolab::kernels::cuda::lessons {

template <class Element>
__device__ inline std::uint32_t key_of(Element element) {
  return element;
}
__device__ inline std::uint32_t key_of(uint4 record) { return record.x ^ record.y ^ record.z ^ record.w; }

// The labs': a-d, e-h, ..., y-z; every other key has no bin.
struct Letters {
  static constexpr unsigned bins = 7;

  template <class Element, class Count>
  __device__ void operator()(Element element, Count count) const {
    const int letter = static_cast<int>(key_of(element)) - 'a';
    if (letter >= 0 && letter < 26) count(static_cast<unsigned>(letter / 4));
  }
};

// A power of two of equal bins over all values of a key: its leading bits.
struct LeadingBits {
  unsigned bins, shift;

  template <class Element, class Count>
  __device__ void operator()(Element element, Count count) const {
    count(key_of(element) >> shift);
  }
};

}  // namespace histolab::kernels::cuda::lessons
