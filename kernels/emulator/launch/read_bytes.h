// ReadBytes: records which bytes of a launch's input a kernel has read.
//
// It has one mark per byte of the input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "kernels/device.h"
#include "kernels/emulator/launch/observer.h"

namespace histolab::kernels::emulator {

class ReadBytes {
 public:
  static constexpr std::uint64_t most_bytes = 256 << 20;

  // For an input of `bytes` bytes. Returns null if it is larger than most_bytes, or memory is
  // exhausted.
  [[nodiscard]] static std::shared_ptr<ReadBytes> make(std::uint64_t bytes);
  ReadBytes(const ReadBytes&) = delete;
  ReadBytes& operator=(const ReadBytes&) = delete;
  ~ReadBytes();

  void mark(const WarpAccess& access);
  [[nodiscard]] UnreadBytes unread() const;

 private:
  explicit ReadBytes(std::span<std::uint8_t> marks, std::uint64_t bytes)
      : marks_(marks), bytes_(bytes) {}

  // Longer than the input by the widest access.
  std::span<std::uint8_t> marks_;
  std::uint64_t bytes_;
};

}  // namespace histolab::kernels::emulator
