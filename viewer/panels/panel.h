// Panel: one window of the viewer. Adding one: a file here, and a line in panels/all.cpp.
//
// A panel draws what the workspace holds, and keeps to itself what only it needs (a slider's place,
// a Job whose answer it shows). draw() is called once a frame while the panel can be seen, between
// the begin and the end of its window; it never waits.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace histolab::viewer {

struct Workspace;

class Panel {
 public:
  struct Info {
    const char* id;     // of --panel: "histogram"
    const char* title;  // of the window: "Histogram"
    const char* about;  // one sentence for the help
  };
  virtual ~Panel() = default;
  [[nodiscard]] virtual Info info() const = 0;
  virtual void draw(Workspace& workspace) = 0;
  // A stop of a tour sets the panel up: viewer/tour.json, "settings". Unknown keys are none of its
  // business.
  virtual void prepare(const nlohmann::json& /*settings*/, Workspace& /*workspace*/) {}
  // Something is still to come (a Job): a screenshot waits for it.
  [[nodiscard]] virtual bool busy() const { return false; }

  bool open = true;
};

// All of them, in the order of their menu.
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
