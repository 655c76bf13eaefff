// The list of all panels. A new panel needs a line here.
#include "viewer/panels/panel.h"

namespace histolab::viewer {

std::vector<std::unique_ptr<Panel>> make_panels() {
  std::vector<std::unique_ptr<Panel>> panels;
  panels.push_back(make_histogram_panel());
  panels.push_back(make_throughput_panel());
  panels.push_back(make_sweep_panel());
  panels.push_back(make_race_panel());
  panels.push_back(make_warp_panel());
  panels.push_back(make_source_panel());
  panels.push_back(make_models_panel());
  panels.push_back(make_compare_panel());
  return panels;
}

}  // namespace histolab::viewer
