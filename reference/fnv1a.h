// FNV-1a, 64 bits (Fowler, Noll, Vo): a hash that is the same on every machine, unlike std::hash.
// It is not cryptographic.
#pragma once

#include <cstdint>

namespace histolab::reference {

// Computes the hash incrementally. A number is added as 8 bytes, lowest first.
class Fnv1a {
 public:
  template <class Bytes>
  constexpr void add(const Bytes& bytes) {
    for (const auto byte : bytes)
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  constexpr void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      value_ = (value_ ^ (number >> shift & 0xff)) * 0x100000001b3;
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Returns the hash of a range of bytes or chars.
template <class Bytes>
[[nodiscard]] constexpr std::uint64_t fnv1a(const Bytes& bytes) {
  Fnv1a hash;
  hash.add(bytes);
  return hash.value();
}

}  // namespace histolab::reference
