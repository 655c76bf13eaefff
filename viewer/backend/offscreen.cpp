// A Screen in memory: surfaceless EGL draws into a framebuffer object, without a display or a
// window system.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <utility>

#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"
#include "viewer/backend/opengl.h"

namespace histolab::viewer {
namespace {

constexpr const char* remedy =
    "install Mesa's software renderer: apt-get install libegl1 libgl1-mesa-dri";

void* function(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

class Offscreen final : public Screen {
 public:
  Offscreen(EGLDisplay display, EGLContext context, ScreenSize size)
      : display_(display), context_(context), size_(size) {}
  ~Offscreen() override {
    ImGui_ImplOpenGL3_Shutdown();
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    eglTerminate(display_);
  }

  bool begin_frame(double) override {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(size_.width), static_cast<float>(size_.height)};
    io.DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_NewFrame();
    return true;
  }
  void present() override { glFinish(); }
  void resize(ScreenSize size) override {
    if (size.width > 0 && size.height > 0 &&
        opengl::bind_framebuffer(function, size.width, size.height))
      size_ = size;
  }
  Result<Image> pixels() override { return opengl::read_pixels(size_.width, size_.height); }

 private:
  EGLDisplay display_;
  EGLContext context_;
  ScreenSize size_;
};

EGLDisplay surfaceless_display() {
  const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  return get == nullptr ? EGL_NO_DISPLAY
                        : get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

}  // namespace

Result<std::unique_ptr<Screen>> open_offscreen(ScreenSize size) {
  const EGLDisplay display = surfaceless_display();
  if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) == EGL_FALSE)
    return Error{fmt::format("EGL cannot draw without a display here; {}", remedy)};
  const auto fail = [&](const char* what) {
    eglTerminate(display);
    return Error{fmt::format("{}; {}", what, remedy)};
  };
  if (eglBindAPI(EGL_OPENGL_API) == EGL_FALSE) return fail("EGL does not support OpenGL here");
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT) return fail("there is no OpenGL 3.3 here");
  const auto fail_with_context = [&](const char* what) {
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
    return fail(what);
  };
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
    return fail_with_context("EGL cannot draw without a surface here");
  if (!opengl::bind_framebuffer(function, size.width, size.height))
    return fail_with_context("this OpenGL cannot draw a picture of that size");
  if (!ImGui_ImplOpenGL3_Init("#version 330"))
    return fail_with_context("there is no OpenGL 3.3 here");
  return std::unique_ptr<Screen>{std::make_unique<Offscreen>(display, context, size)};
}

}  // namespace histolab::viewer
