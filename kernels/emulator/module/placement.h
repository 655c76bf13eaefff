// Placement: the addresses of a kernel's sections in the window.
//
// The second step of loading (module.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/emulator/memory/window.h"
#include "kernels/emulator/module/kernel_parts.h"

namespace histolab::kernels::emulator {

// A range of memory that is handed out piece by piece.
class MemoryRange {
 public:
  MemoryRange(std::uint8_t* begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}
  // Returns the next `bytes` at this alignment, with at least `red_zone` unused bytes on each side.
  // Returns nullptr if they do not fit.
  std::uint8_t* take(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t red_zone = 0) {
    const std::uint64_t at = round_up(used_ + red_zone, alignment);
    if (bytes > bytes_ || at > bytes_ - bytes || bytes_ - bytes - at < red_zone) return nullptr;
    used_ = at + bytes + red_zone;
    return begin_ + at;
  }
  [[nodiscard]] std::uint8_t* begin() const { return begin_; }
  // Returns the number of bytes up to the end of the last piece and its red zone.
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  std::uint8_t* begin_;
  std::uint64_t bytes_, used_ = 0;
};

// The addresses of variables that exist before the kernel is loaded and keep their contents, by
// their symbols. Those in read-only sections are copied into the image, as if the file contained
// their contents.
using KeptVariables = std::map<std::string, std::uint8_t*, std::less<>>;

struct Placement {
  std::vector<std::uint8_t*> address;  // per section; null if it is not loaded
  std::vector<bool> is_kept{};         // per section: it is at the address of a kept variable
  // Null if a block would have more shared memory than any device gives it. Such a kernel is never
  // launched.
  std::uint8_t* dynamic_shared = nullptr;
  std::uint64_t static_shared_bytes = 0;
  // Address of the end of text and constants, which begin at the window's begin.
  std::uint64_t constants_end = 0;
  MemoryRange text;     // the rest of it has stubs and words of the loader (links.h)
  std::string problem;  // the reason if the kernel cannot be placed, else empty

  // Returns the section's address as a number.
  [[nodiscard]] std::uint64_t begin_of(std::uint32_t section) const {
    return reinterpret_cast<std::uint64_t>(address[section]);
  }
};

// Copies the sections into the window, with red zones between variables, and adds their regions.
// Sections with variables in `kept` are not copied.
[[nodiscard]] Placement place_sections(const KernelParts& parts, std::uint32_t dynamic_shared_bytes,
                                       Window& window, const KeptVariables& kept = {});

}  // namespace histolab::kernels::emulator
