// The border to stb_image: the one call that decodes PNG, JPEG and BMP. Its implementation is compiled without
// warnings, so it has a file of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/result.h"

namespace histolab::datasets {

// One byte of luminance per pixel, as datasets/image.h says. Error: stb's reason.
[[nodiscard]] Result<std::vector<std::uint8_t>> decode_with_stb(std::span<const std::uint8_t> file);

}  // namespace histolab::datasets
