#include "datasets/stb.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

// Static, so that another part of a program may have its own stb. Without SIMD a JPEG has the same pixels on every machine.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#include <stb_image.h>

namespace histolab::datasets {

Result<std::vector<std::uint8_t>> decode_with_stb(std::span<const std::uint8_t> file) {
  if (file.size() > std::numeric_limits<int>::max()) return Error{"a file of this format may have 2 GiB at most"};
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &width, &height, &channels, 1),
      stbi_image_free);
  if (!pixels) return Error{stbi_failure_reason()};
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return std::vector<std::uint8_t>(pixels.get(), pixels.get() + count);
}

}  // namespace histolab::datasets
