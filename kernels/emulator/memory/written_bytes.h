// WrittenBytes: records which bytes of a memory that began unset have been written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace histolab::kernels::emulator {

class WrittenBytes {
 public:
  explicit WrittenBytes(std::uint64_t bytes) : bits_((bytes + 63) / 64), left_(bytes) {}

  [[nodiscard]] bool all() const { return left_ == 0; }
  [[nodiscard]] bool has(std::uint64_t offset) const {
    return (bits_[offset / 64] >> offset % 64 & 1) != 0;
  }
  // Returns the offset of the first unwritten byte among the `bytes` from `offset` on. Returns
  // `offset + bytes` if all of them were written.
  [[nodiscard]] std::uint64_t first_unset(std::uint64_t offset, std::uint64_t bytes) const {
    std::uint64_t at = offset;
    while (at < offset + bytes && has(at)) ++at;
    return at;
  }
  void set(std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t at = offset; at < offset + bytes; ++at) {
      left_ -= has(at) ? 0 : 1;
      bits_[at / 64] |= std::uint64_t{1} << at % 64;
    }
  }

 private:
  std::vector<std::uint64_t> bits_;
  std::uint64_t left_;
};

}  // namespace histolab::kernels::emulator
