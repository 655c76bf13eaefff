// The cost of one warp's request, from its addresses: sectors of global memory, passes over the
// banks of shared memory. The lanes' addresses are an arithmetic progression, as in exercises.
// Shared memory has 32 banks; word w is in bank w mod 32. Words of one bank are read one after the
// other; lanes that read the same word are served together. The observer `traffic` counts the real
// addresses of an emulated kernel.
#pragma once

#include <cstdint>

namespace histolab::reference {

inline constexpr std::uint64_t sector_bytes = 32, shared_banks = 32;

// Lane i reads `bytes` bytes at first_byte + i * stride_bytes.
struct Request {
  std::uint64_t first_byte = 0, stride_bytes = 1;
  std::uint32_t lanes = 32, bytes = 1;  // lanes: 1 to 1024
};
// Returns the number of different sectors that the request touches.
[[nodiscard]] std::uint64_t sectors(const Request& request);
// Returns requested bytes / bytes of the touched sectors, 0 to 1. Each requested byte counts once.
[[nodiscard]] double used_share(const Request& request);

// Returns the number of passes if lane i reads the word i * stride_words behind any first word:
// 1 if no two words share a bank.
[[nodiscard]] std::uint32_t bank_passes(std::uint32_t lanes, std::uint64_t stride_words);

}  // namespace histolab::reference
