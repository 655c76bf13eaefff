// What both screens need of OpenGL 3.3 beyond what ImGui's backend loads for itself. No header of a
// loader: seven functions and a few constants of the OpenGL 3.3 core specification (Khronos
// registry).
#pragma once

#include <GL/gl.h>

#include "viewer/backend/screen.h"

namespace histolab::viewer::opengl {

// The pixels of the framebuffer that is bound for reading. `width` and `height` above 0.
[[nodiscard]] Image read_pixels(int width, int height);

// A framebuffer of one colour buffer, bound for reading and drawing. False: this OpenGL cannot make
// it.
using GetFunction = void* (*)(const char* name);
[[nodiscard]] bool bind_framebuffer(GetFunction get, int width, int height);

}  // namespace histolab::viewer::opengl
