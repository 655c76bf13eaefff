// OpenGL 3.3 functions that both screens need and that ImGui's backend does not load. No loader
// library is used: these are seven functions and a few constants of the OpenGL 3.3 core
// specification (Khronos registry).
#pragma once

#include <GL/gl.h>

#include "viewer/backend/screen.h"

namespace histolab::viewer::opengl {

// Returns the pixels of the framebuffer that is bound for reading. `width` and `height` must be
// positive.
[[nodiscard]] Image read_pixels(int width, int height);

// Creates a framebuffer with one colour buffer and binds it for reading and drawing. Returns false
// if this OpenGL does not support it.
using GetFunction = void* (*)(const char* name);
[[nodiscard]] bool bind_framebuffer(GetFunction get, int width, int height);

}  // namespace histolab::viewer::opengl
