// Elements and how they are binned.
//
// An element has one key. An element of 1, 2 or 4 bytes is its key. An element of 16 bytes is a
// record of four words whose XOR is the key, so all its words must be read. A binning calls
// count(bin) only for elements with a bin.
#pragma once

#include <cstdint>

namespace histolab::kernels::cuda::lessons {

template <class Element>
__device__ inline std::uint32_t key_of(Element element) {
  return element;
}
__device__ inline std::uint32_t key_of(uint4 record) {
  return record.x ^ record.y ^ record.z ^ record.w;
}

// The labs' bins: a-d, e-h, ..., y-z. Other keys have no bin.
struct Letters {
  static constexpr unsigned bins = 7;

  template <class Element, class Count>
  __device__ void operator()(Element element, Count count) const {
    const int letter = static_cast<int>(key_of(element)) - 'a';
    if (letter >= 0 && letter < 26) count(static_cast<unsigned>(letter / 4));
  }
};

// Equal bins over all values of a key, selected by its leading bits. Their number is
// a power of two.
struct LeadingBits {
  unsigned bins, shift;

  template <class Element, class Count>
  __device__ void operator()(Element element, Count count) const {
    count(key_of(element) >> shift);
  }
};

}  // namespace histolab::kernels::cuda::lessons
