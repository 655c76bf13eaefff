// A Screen in a window: GLFW and OpenGL 3.3.
#include <fmt/format.h>

#include <cstdlib>
#include <string>

// GLFW loads OpenGL itself.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "backends/imgui_impl_glfw.h"
#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"
#include "viewer/backend/opengl.h"

namespace histolab::viewer {
namespace {

std::string& last_problem() {
  static std::string text;
  return text;
}

class Window final : public Screen {
 public:
  explicit Window(GLFWwindow* window) : window_(window) {}
  ~Window() override {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  bool begin_frame(double patience_s) override {
    constexpr double out_of_sight_s = 0.1;
    if (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE && patience_s > 0)
      patience_s = out_of_sight_s;
    if (patience_s > 0)
      glfwWaitEventsTimeout(patience_s);
    else
      glfwPollEvents();
    if (glfwWindowShouldClose(window_)) return false;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    return true;
  }
  void present() override { glfwSwapBuffers(window_); }

  Result<Image> pixels() override {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    if (width <= 0 || height <= 0)
      return Error{"cannot take a picture of a window without an area"};
    return opengl::read_pixels(width, height);
  }

  void resize(ScreenSize size) override { glfwSetWindowSize(window_, size.width, size.height); }

  float scale() const override {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x > 0 ? x : 1;
  }

  void toggle_full_screen() override {
    if (glfwGetWindowMonitor(window_) != nullptr) {
      glfwSetWindowMonitor(window_, nullptr, x_, y_, width_, height_, GLFW_DONT_CARE);
      return;
    }
    GLFWmonitor* const monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* const mode = monitor == nullptr ? nullptr : glfwGetVideoMode(monitor);
    if (mode == nullptr) return;
    glfwGetWindowPos(window_, &x_, &y_);
    glfwGetWindowSize(window_, &width_, &height_);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  }

 private:
  GLFWwindow* window_;
  int x_ = 0, y_ = 0, width_ = 1280, height_ = 720;  // before full screen
};

bool set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

Result<std::unique_ptr<Screen>> open_window(ScreenSize size) {
  glfwSetErrorCallback([](int, const char* text) { last_problem() = text == nullptr ? "" : text; });
  if (glfwInit() != GLFW_TRUE) {
    if (!set("DISPLAY") && !set("WAYLAND_DISPLAY"))
      return Error{
          "there is no display here; `histolab view --screenshot FILE` needs none, and `ssh -X` "
          "provides one over ssh"};
    return Error{fmt::format("cannot open a window: {}", last_problem())};
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "histolab");
  GLFWwindow* const window =
      glfwCreateWindow(size.width, size.height, "histolab", nullptr, nullptr);
  if (window == nullptr) {
    const std::string problem = last_problem();
    glfwTerminate();
    return Error{
        fmt::format("cannot open a window with OpenGL 3.3 ({}); try Mesa's software renderer "
                    "(libgl1-mesa-dri) with LIBGL_ALWAYS_SOFTWARE=1",
                    problem)};
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(1);
  if (!ImGui_ImplGlfw_InitForOpenGL(window, true) || !ImGui_ImplOpenGL3_Init("#version 330")) {
    glfwDestroyWindow(window);
    glfwTerminate();
    return Error{
        "OpenGL 3.3 does not work here; try Mesa's software renderer with LIBGL_ALWAYS_SOFTWARE=1"};
  }
  return std::unique_ptr<Screen>{std::make_unique<Window>(window)};
}

}  // namespace histolab::viewer
