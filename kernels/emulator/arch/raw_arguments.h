// RawArguments: a kernel's arguments as a call passes them by the System V ABI: in registers and on
// the stack.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace histolab::kernels::emulator {

struct RawArguments {
  static constexpr std::size_t most_stack_bytes = 448;

  std::array<std::uint64_t, 6> integers{};                // rdi, rsi, rdx, rcx, r8, r9
  std::array<std::array<std::uint8_t, 16>, 8> vectors{};  // xmm0 to xmm7
  // The bytes above the return address, as the kernel finds them. Aligned to 16 bytes there.
  std::array<std::uint8_t, most_stack_bytes> stack{};
  std::uint32_t stack_bytes = 0;  // of `stack`; the others are 0
  std::uint32_t has_vectors = 0;  // 1 if `vectors` matter
};

// Fills RawArguments with addresses and integers, in the order of the parameters.
class ArgumentWords {
 public:
  // The number of words that fit.
  static constexpr std::size_t most = 6 + RawArguments::most_stack_bytes / 8;

  // Returns false, without a change, if the room is not enough.
  [[nodiscard]] bool add(std::uint64_t word) {
    if (count_ < arguments_.integers.size()) {
      arguments_.integers[count_++] = word;
      return true;
    }
    if (count_ == most) return false;
    std::memcpy(arguments_.stack.data() + arguments_.stack_bytes, &word, sizeof word);
    arguments_.stack_bytes += sizeof word;
    ++count_;
    return true;
  }
  [[nodiscard]] const RawArguments& arguments() const { return arguments_; }

 private:
  RawArguments arguments_;
  std::size_t count_ = 0;
};

}  // namespace histolab::kernels::emulator
