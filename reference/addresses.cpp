#include "reference/addresses.h"

#include <algorithm>
#include <array>
#include <set>

namespace histolab::reference {

std::uint64_t sectors(const Request& request) {
  std::set<std::uint64_t> touched;
  for (std::uint32_t lane = 0; lane < request.lanes; ++lane) {
    const std::uint64_t begin = request.first_byte + lane * request.stride_bytes;
    for (std::uint64_t sector = begin / sector_bytes;
         sector <= (begin + request.bytes - 1) / sector_bytes; ++sector)
      touched.insert(sector);
  }
  return touched.size();
}

double used_share(const Request& request) {
  // Bytes of each further lane that the lane before it did not read.
  const std::uint64_t apart = std::min<std::uint64_t>(request.stride_bytes, request.bytes);
  const std::uint64_t bytes = request.bytes + (request.lanes - 1) * apart;
  return static_cast<double>(bytes) / static_cast<double>(sector_bytes * sectors(request));
}

std::uint32_t bank_passes(std::uint32_t lanes, std::uint64_t stride_words) {
  std::set<std::uint64_t> words;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) words.insert(lane * stride_words);
  std::array<std::uint32_t, shared_banks> of_bank{};
  for (const std::uint64_t word : words) ++of_bank[word % shared_banks];
  return *std::max_element(of_bank.begin(), of_bank.end());
}

}  // namespace histolab::reference
