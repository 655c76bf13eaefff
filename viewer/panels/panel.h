// Panel: one window of the viewer. A new panel needs a file here and a line in panels/all.cpp.
//
// A panel draws the workspace. It owns the state that only it needs, such as a slider's value or a
// Job. draw() is called once per frame while the panel is visible, inside its ImGui window; it
// never waits.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace histolab::viewer {

struct Workspace;

class Panel {
 public:
  struct Info {
    const char* id;     // for --panel: "histogram"
    const char* title;  // of its window: "Histogram"
    const char* about;  // a tooltip in one sentence
  };
  virtual ~Panel() = default;
  [[nodiscard]] virtual Info info() const = 0;
  virtual void draw(Workspace& workspace) = 0;
  // Applies the "settings" of a tour's stop (viewer/tour.json). Ignores unknown keys.
  virtual void prepare(const nlohmann::json& /*settings*/, Workspace& /*workspace*/) {}
  // Whether something is pending, such as a Job. A screenshot waits for it.
  [[nodiscard]] virtual bool busy() const { return false; }

  bool open = true;
};

// All panels, in the order of the menu.
[[nodiscard]] std::vector<std::unique_ptr<Panel>> make_panels();

std::unique_ptr<Panel> make_histogram_panel();
std::unique_ptr<Panel> make_throughput_panel();
std::unique_ptr<Panel> make_sweep_panel();
std::unique_ptr<Panel> make_race_panel();
std::unique_ptr<Panel> make_warp_panel();
std::unique_ptr<Panel> make_source_panel();
std::unique_ptr<Panel> make_models_panel();
std::unique_ptr<Panel> make_compare_panel();

}  // namespace histolab::viewer
