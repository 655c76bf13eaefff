// histolab-viewer
#include <GLFW/glfw3.h>

#include <cstdio>
#include <string_view>

#include "imgui.h"
#include "implot.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view{argv[1]} == "--version") {
    std::printf("histolab-viewer %s, Dear ImGui %s, ImPlot %s, GLFW %s\n", HISTOLAB_VERSION, ImGui::GetVersion(), IMPLOT_VERSION, glfwGetVersionString());
    return 0;
  }
  std::fprintf(stderr, "histolab-viewer: there is nothing to see yet\n");
  return 2;
}
