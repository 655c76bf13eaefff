// What one warp's request costs by its addresses alone: sectors of global memory, passes over the banks of shared memory.
//
// The lanes' addresses are in arithmetic progression, which is what a question on paper has. Global memory is fetched in
// sectors of 32 bytes. Shared memory has 32 banks, and word w lies in bank w mod 32: words of one bank are served one after
// the other, lanes on one word together (reading). An emulated kernel's real addresses are counted by the observer `traffic`.
#pragma once

#include <cstdint>

namespace histolab::reference {

inline constexpr std::uint64_t sector_bytes = 32, shared_banks = 32;

// Lane i reads `bytes` bytes at first_byte + i * stride_bytes.
struct Request {
  std::uint64_t first_byte = 0, stride_bytes = 1;
  std::uint32_t lanes = 32, bytes = 1;  // lanes 1 to 1024
};
[[nodiscard]] std::uint64_t sectors(const Request& request);
// Bytes that were asked for, each once, of the bytes of those sectors: 0 to 1.
[[nodiscard]] double used_share(const Request& request);

// Lane i reads word i * stride_words, from whichever word on: the passes that takes, 1 where no two words share a bank.
[[nodiscard]] std::uint32_t bank_passes(std::uint32_t lanes, std::uint64_t stride_words);

}  // namespace histolab::reference
