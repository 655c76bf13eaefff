// CodeWriter: writes machine code at the end of a vector of bytes.
//
// Jumps have their longest form, so their size is known before their target is.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace histolab::kernels::emulator {

class CodeWriter {
 public:
  // Sizes in bytes.
  static constexpr std::uint32_t call_bytes = 5, jump_bytes = 5, branch_bytes = 6;

  // `bytes` must outlive this object.
  explicit CodeWriter(std::vector<std::uint8_t>& bytes) : bytes_(bytes) {}

  // Returns the offset of the next byte.
  [[nodiscard]] std::uint32_t at() const { return static_cast<std::uint32_t>(bytes_.size()); }
  void put(std::initializer_list<std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put32(std::int64_t value);
  void put64(std::uint64_t value);
  void copy(std::span<const std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  // Each returns its field, for set_distance(). `branch`: a conditional jump, from which the
  // condition is taken.
  std::uint32_t put_call();
  std::uint32_t put_jump();
  std::uint32_t put_branch_like(std::span<const std::uint8_t> branch);
  // Sets the four bytes at `field` to the distance from the end of the field to `target`.
  void set_distance(std::uint32_t field, std::uint32_t target) {
    set_displacement(field, target, field + 4);
  }
  // Likewise, to the distance from `end`.
  void set_displacement(std::uint32_t field, std::uint32_t target, std::uint32_t end);
  // Sets the byte at `field` to the distance from its end to `target`, which is near and behind it.
  void set_short_distance(std::uint32_t field, std::uint32_t target) {
    bytes_[field] = static_cast<std::uint8_t>(target - field - 1);
  }

 private:
  std::uint32_t put_field();

  std::vector<std::uint8_t>& bytes_;
};

}  // namespace histolab::kernels::emulator
