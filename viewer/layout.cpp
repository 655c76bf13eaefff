#include "viewer/layout.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "imgui_internal.h"  // DockBuilder

namespace histolab::viewer {
namespace {

constexpr std::array<NamedLayout, 4> all_layouts{{
    {Layout::lecture, "Lecture", "a large histogram, the others beside it"},
    {Layout::student, "Student", "source and histogram side by side"},
    {Layout::all, "All panels", "every panel in sight"},
    {Layout::program, "Program", "source and warp, for a whole program"},
}};

class Docker {
 public:
  explicit Docker(const std::vector<std::unique_ptr<Panel>>& panels) {
    for (const auto& panel : panels) left_.push_back(panel->info());
  }
  // Docks panels into one node, as tabs in this order.
  void put(std::initializer_list<std::string_view> ids, ImGuiID node) {
    for (const std::string_view id : ids)
      if (const auto found = std::ranges::find(
              left_, id, [](const Panel::Info& info) { return std::string_view{info.id}; });
          found != left_.end()) {
        ImGui::DockBuilderDockWindow(found->title, node);
        left_.erase(found);
      }
    last_ = node;
  }
  // A panel without a place in the layout becomes a tab behind the last ones, instead of floating
  // above them.
  void put_others() {
    for (const Panel::Info& info : left_) ImGui::DockBuilderDockWindow(info.title, last_);
    left_.clear();
  }

 private:
  std::vector<Panel::Info> left_;
  ImGuiID last_ = 0;
};

ImGuiID split(ImGuiID& node, ImGuiDir direction, float share) {
  ImGuiID rest = 0;
  const ImGuiID part = ImGui::DockBuilderSplitNode(node, direction, share, nullptr, &rest);
  node = rest;
  return part;
}

}  // namespace

std::span<const NamedLayout> layouts() { return all_layouts; }

bool is_in(Layout layout, std::string_view panel) {
  return layout != Layout::program || panel == "source" || panel == "warp";
}

void arrange(Layout layout, ImGuiID dock, ImVec2 size,
             const std::vector<std::unique_ptr<Panel>>& panels) {
  ImGui::DockBuilderRemoveNode(dock);
  ImGui::DockBuilderAddNode(dock, ImGuiDockNodeFlags_DockSpace);
  ImGui::DockBuilderSetNodeSize(dock, size);
  Docker docker{panels};
  ImGuiID rest = dock;
  switch (layout) {
    case Layout::lecture: {
      const ImGuiID right = split(rest, ImGuiDir_Right, 0.42f);
      ImGuiID lower = right;
      const ImGuiID upper = split(lower, ImGuiDir_Up, 0.5f);
      docker.put({"histogram"}, rest);
      docker.put({"source", "warp", "race", "models"}, upper);
      docker.put({"throughput", "sweep", "compare"}, lower);
      break;
    }
    case Layout::student: {
      const ImGuiID below = split(rest, ImGuiDir_Down, 0.36f);
      const ImGuiID left = split(rest, ImGuiDir_Left, 0.5f);
      docker.put({"source"}, left);
      docker.put({"histogram", "race", "models"}, rest);
      docker.put({"warp", "compare", "throughput", "sweep"}, below);
      break;
    }
    case Layout::program: {
      const ImGuiID left = split(rest, ImGuiDir_Left, 0.5f);
      docker.put({"source"}, left);
      docker.put({"warp"}, rest);
      break;
    }
    case Layout::all: {
      ImGuiID upper = rest;
      ImGuiID lower = split(upper, ImGuiDir_Down, 0.5f);
      const std::array<std::array<std::string_view, 4>, 2> rows{
          {{"histogram", "throughput", "sweep", "race"}, {"source", "warp", "models", "compare"}}};
      for (const auto& row : rows) {
        ImGuiID left = &row == &rows.front() ? upper : lower;
        for (std::size_t column = 0; column < 3; ++column) {
          const ImGuiID part = split(left, ImGuiDir_Left, 1.0f / static_cast<float>(4 - column));
          docker.put({row[column]}, part);
        }
        docker.put({row[3]}, left);
      }
      break;
    }
  }
  docker.put_others();
  ImGui::DockBuilderFinish(dock);
}

}  // namespace histolab::viewer
