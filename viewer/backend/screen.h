// Screen: the target of frames: a window, or memory without a display.
//
//   while (screen->begin_frame()) { draw with ImGui; screen->render(); screen->present(); }
//
// A Screen owns the OpenGL 3.3 context and the two ImGui backends. The ImGui context is created
// before the Screen and destroyed after it. Both kinds of screen draw the same, so a screenshot
// shows exactly what a window would.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::viewer {

// Rows from top to bottom, 4 bytes per pixel: red, green, blue, 255.
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
  // Waits for input for at most `patience_s`. Returns false if the window was closed or its device
  // was lost.
  [[nodiscard]] virtual bool begin_frame(double patience_s) = 0;
  void render();  // draws ImGui's draw data
  virtual void present() = 0;
  [[nodiscard]] virtual Result<Image> pixels() = 0;        // the rendered frame, before present()
  [[nodiscard]] virtual float scale() const { return 1; }  // 1 at 96 dots per inch
  virtual void toggle_full_screen() {}
  virtual void resize(ScreenSize size) = 0;  // like the user does
  // The name of the OpenGL renderer: "llvmpipe (LLVM 15.0.6, 256 bits)".
  [[nodiscard]] std::string renderer() const;
};

// Returns an Error with a remedy if there is no display, or no OpenGL 3.3 on it.
[[nodiscard]] Result<std::unique_ptr<Screen>> open_window(ScreenSize size);
// Needs no display (surfaceless EGL). Returns an Error without EGL or OpenGL 3.3.
[[nodiscard]] Result<std::unique_ptr<Screen>> open_offscreen(ScreenSize size);

// Keeps an existing file if the disk is full.
[[nodiscard]] Status write_png(const Image& image, const std::string& path);

}  // namespace histolab::viewer
