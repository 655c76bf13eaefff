// Workspace: all that panels share. One value, changed by the frame alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/model/catalogue.h"
#include "viewer/model/launch_choice.h"
#include "viewer/model/measurements.h"
#include "viewer/model/throughput.h"
#include "viewer/model/verdict.h"
#include "viewer/workspace/places.h"
#include "viewer/workspace/session.h"

namespace histolab::viewer {

struct Workspace {
  explicit Workspace(Places where) : places(std::move(where)), session(places.command({})) {}

  Places places;
  Catalogue catalogue;  // empty until `histolab list` has answered
  LaunchChoice choice;  // what Run will run
  Session session;      // what runs, or ran last
  ThroughputHistory history;
  std::vector<Bench> benches;      // the nearest first; empty: nothing was measured here
  std::optional<Verdict> verdict;  // what the grader said last of the kernel that is chosen
  int selected_line = 0;           // of the source: chosen in one panel, shown in others; 0: none
  bool presenting = false;         // one panel in large type
  double now_s = 0;                // since the viewer started
};

}  // namespace histolab::viewer
