// Screen: where frames go: a window, or memory where there is no display.
//
//   while (screen->begin_frame()) { draw with ImGui; screen->render(); screen->present(); }
//
// A Screen owns the OpenGL 3.3 context and ImGui's two backends; the ImGui context is made before
// it and outlives it. Windowed and offscreen screens draw the same, so a screenshot is what a
// person sees.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::viewer {

// Rows from the top, 4 bytes a pixel: red, green, blue, 255.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

struct ScreenSize {
  int width = 1280, height = 720;
};

class Screen {
 public:
  virtual ~Screen() = default;
  // Waits for input up to `patience_s` where nothing moves (0: not at all). False: the window was
  // closed, or its device lost.
  [[nodiscard]] virtual bool begin_frame(double patience_s) = 0;
  void render();  // ImGui's draw data
  virtual void present() = 0;
  [[nodiscard]] virtual Result<Image> pixels() = 0;  // of what was rendered, before it is presented
  [[nodiscard]] virtual float scale() const { return 1; }  // of the display: 1 at 96 dots an inch
  virtual void toggle_full_screen() {}
  virtual void resize(ScreenSize size) = 0;  // as a person would
  [[nodiscard]] std::string renderer()
      const;  // what OpenGL calls itself: "llvmpipe (LLVM 15.0.6, 256 bits)"
};

// Error: there is no display, or no OpenGL 3.3 on it; it says what to do.
[[nodiscard]] Result<std::unique_ptr<Screen>> open_window(ScreenSize size);
// Needs no display (EGL, surfaceless). Error: no EGL, or no OpenGL 3.3 through it.
[[nodiscard]] Result<std::unique_ptr<Screen>> open_offscreen(ScreenSize size);

// A full disk leaves the file that was there before.
[[nodiscard]] Status write_png(const Image& image, const std::string& path);

}  // namespace histolab::viewer
