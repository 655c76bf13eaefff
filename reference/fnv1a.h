// FNV-1a, 64 bits (Fowler, Noll, Vo): a hash that is the same on every machine, which std::hash does not promise. Not for secrets.
#pragma once

#include <cstdint>

namespace histolab::reference {

// Of a range of bytes or chars.
template <class Bytes>
[[nodiscard]] constexpr std::uint64_t fnv1a(const Bytes& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

}  // namespace histolab::reference
