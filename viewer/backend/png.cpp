#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include "grader/files/write_file.h"
#include "viewer/backend/screen.h"

namespace histolab::viewer {

Status write_png(const Image& image, const std::string& path) {
  std::string bytes;
  const auto append = [](void* into, void* data, int size) {
    static_cast<std::string*>(into)->append(static_cast<const char*>(data),
                                            static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                             image.width * 4) == 0)
    return Error{"not enough memory for the picture"};
  return grader::write_file(path, bytes);
}

}  // namespace histolab::viewer
