// WrittenBytes: records which bytes of a memory that began unset have been written.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace histolab::kernels::emulator {

class WrittenBytes {
 public:
  explicit WrittenBytes(std::uint64_t bytes)
      : own_((bytes + 63) / 64), bits_(own_.data()), left_(bytes) {}
  // Records in `bits`, one bit per byte, which must outlive this object. `left`: the number of
  // unwritten bytes; nullopt to count them.
  WrittenBytes(std::uint64_t* bits, std::uint64_t bytes, std::optional<std::uint64_t> left)
      : bits_(bits), left_(left ? *left : bytes) {
    if (!left)
      in_words(0, bytes, [&](std::uint64_t& word, std::uint64_t mask, std::uint64_t) {
        left_ -= static_cast<std::uint64_t>(std::popcount(word & mask));
        return true;
      });
  }
  WrittenBytes(const WrittenBytes&) = delete;
  WrittenBytes& operator=(const WrittenBytes&) = delete;

  [[nodiscard]] bool all() const { return left_ == 0; }
  [[nodiscard]] std::uint64_t left() const { return left_; }  // number of unwritten bytes
  [[nodiscard]] bool has(std::uint64_t offset) const {
    return (bits_[offset / 64] >> offset % 64 & 1) != 0;
  }
  // Returns the offset of the first unwritten byte among the `bytes` from `offset` on. Returns
  // `offset + bytes` if all of them were written.
  [[nodiscard]] std::uint64_t first_unset(std::uint64_t offset, std::uint64_t bytes) const {
    std::uint64_t found = offset + bytes;
    in_words(offset, bytes, [&](std::uint64_t word, std::uint64_t mask, std::uint64_t begin) {
      const std::uint64_t unset = mask & ~word;
      if (unset != 0) found = begin + static_cast<std::uint64_t>(std::countr_zero(unset));
      return unset == 0;
    });
    return found;
  }
  void set(std::uint64_t offset, std::uint64_t bytes) {
    in_words(offset, bytes, [&](std::uint64_t& word, std::uint64_t mask, std::uint64_t) {
      left_ -= static_cast<std::uint64_t>(std::popcount(mask & ~word));
      word |= mask;
      return true;
    });
  }

 private:
  // Calls `f` with each word of these bytes, the mask of their bits in it, and the offset of the
  // word's first byte, as long as `f` returns true.
  template <class F>
  void in_words(std::uint64_t offset, std::uint64_t bytes, F&& f) const {
    for (std::uint64_t at = offset; at < offset + bytes;) {
      const std::uint64_t begin = at / 64 * 64, end = std::min(begin + 64, offset + bytes);
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (end - at)) << at % 64;
      if (!f(bits_[at / 64], mask, begin)) return;
      at = end;
    }
  }

  std::vector<std::uint64_t> own_;
  std::uint64_t* bits_;
  std::uint64_t left_;
};

}  // namespace histolab::kernels::emulator
