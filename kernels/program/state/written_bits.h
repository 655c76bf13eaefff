// WrittenBits: one bit per byte of the device memory, which is 1 if the byte was written.
//
// The bits are in memory that the launches share. Bit i % 8 of byte i / 8 belongs to byte i.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace histolab::kernels::program {

class WrittenBits {
 public:
  // `bits` is borrowed. Offsets below are less than 8 * bits.size().
  explicit WrittenBits(std::span<std::uint8_t> bits) : bits_(bits) {}

  [[nodiscard]] bool has(std::uint64_t offset) const {
    return (bits_[offset / 8] >> offset % 8 & 1) != 0;
  }
  void set(std::uint64_t offset, std::uint64_t bytes, bool written = true) {
    const std::uint64_t end = offset + bytes;
    while (offset < end && offset % 8 != 0) set_one(offset++, written);
    if (const std::uint64_t whole = (end - offset) / 8; offset < end && whole != 0) {
      std::memset(&bits_[offset / 8], written ? 0xff : 0, whole);
      offset += whole * 8;
    }
    while (offset < end) set_one(offset++, written);
  }
  // Returns the offset of the first byte from `offset` on that has this state, or `offset + bytes`.
  [[nodiscard]] std::uint64_t first(bool written, std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint64_t end = offset + bytes;
    const std::uint8_t skipped = written ? 0 : 0xff;
    while (offset < end) {
      if (offset % 8 == 0 && bits_[offset / 8] == skipped)
        offset = std::min(end, offset + 8);
      else if (has(offset) == written)
        return offset;
      else
        ++offset;
    }
    return end;
  }
  [[nodiscard]] bool all(std::uint64_t offset, std::uint64_t bytes) const {
    return first(false, offset, bytes) == offset + bytes;
  }
  // The bytes from `to` on get the state of those from `from` on.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    if (all(from, bytes)) return set(to, bytes);
    if (to < from)
      for (std::uint64_t i = 0; i < bytes; ++i) set_one(to + i, has(from + i));
    else
      for (std::uint64_t i = bytes; i-- > 0;) set_one(to + i, has(from + i));
  }

 private:
  void set_one(std::uint64_t offset, bool written) {
    std::uint8_t& byte = bits_[offset / 8];
    const auto bit = static_cast<std::uint8_t>(1u << offset % 8);
    byte = static_cast<std::uint8_t>(written ? byte | bit : byte & ~bit);
  }
  std::span<std::uint8_t> bits_;
};

}  // namespace histolab::kernels::program
