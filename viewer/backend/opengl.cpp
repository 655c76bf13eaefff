#include "viewer/backend/opengl.h"

#include <algorithm>

#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"

namespace histolab::viewer {

void Screen::render() {
  ImGui::Render();
  const ImGuiIO& io = ImGui::GetIO();
  const auto pixels = [](float points, float scale) {
    return std::max(0, static_cast<int>(points * scale));
  };
  const ImVec4 background = ImGui::GetStyle().Colors[ImGuiCol_WindowBg];
  glViewport(0, 0, pixels(io.DisplaySize.x, io.DisplayFramebufferScale.x),
             pixels(io.DisplaySize.y, io.DisplayFramebufferScale.y));
  glClearColor(background.x, background.y, background.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

std::string Screen::renderer() const {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name == nullptr ? "unknown" : name;
}

namespace opengl {

Image read_pixels(int width, int height) {
  Image image{width, height,
              std::vector<std::uint8_t>(static_cast<std::size_t>(width) *
                                        static_cast<std::size_t>(height) * 4)};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  for (std::size_t top = 0, bottom = static_cast<std::size_t>(height) - 1; top < bottom;
       ++top, --bottom)
    std::swap_ranges(image.rgba.begin() + static_cast<std::ptrdiff_t>(top * row),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>((top + 1) * row),
                     image.rgba.begin() + static_cast<std::ptrdiff_t>(bottom * row));
  for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
  return image;
}

bool bind_framebuffer(GetFunction get, int width, int height) {
  constexpr GLenum framebuffer = 0x8D40, renderbuffer = 0x8D41, color_attachment = 0x8CE0,
                   complete = 0x8CD5;
  using Generate = void (*)(GLsizei, GLuint*);
  using Bind = void (*)(GLenum, GLuint);
  using Storage = void (*)(GLenum, GLenum, GLsizei, GLsizei);
  using Attach = void (*)(GLenum, GLenum, GLenum, GLuint);
  using Check = GLenum (*)(GLenum);
  const auto make_framebuffer = reinterpret_cast<Generate>(get("glGenFramebuffers"));
  const auto bind = reinterpret_cast<Bind>(get("glBindFramebuffer"));
  const auto make_renderbuffer = reinterpret_cast<Generate>(get("glGenRenderbuffers"));
  const auto bind_renderbuffer = reinterpret_cast<Bind>(get("glBindRenderbuffer"));
  const auto storage = reinterpret_cast<Storage>(get("glRenderbufferStorage"));
  const auto attach = reinterpret_cast<Attach>(get("glFramebufferRenderbuffer"));
  const auto check = reinterpret_cast<Check>(get("glCheckFramebufferStatus"));
  if (!make_framebuffer || !bind || !make_renderbuffer || !bind_renderbuffer || !storage ||
      !attach || !check)
    return false;
  GLuint frame = 0, color = 0;
  make_framebuffer(1, &frame);
  bind(framebuffer, frame);
  make_renderbuffer(1, &color);
  bind_renderbuffer(renderbuffer, color);
  storage(renderbuffer, GL_RGBA8, width, height);
  attach(framebuffer, color_attachment, renderbuffer, color);
  return check(framebuffer) == complete;
}

}  // namespace opengl
}  // namespace histolab::viewer
