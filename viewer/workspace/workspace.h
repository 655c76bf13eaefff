// Workspace: the state that panels share. Only the frame's thread changes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/model/access_log.h"
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
  Catalogue catalogue;  // empty until `histolab list` has ended
  LaunchChoice choice;  // the launch that Run starts
  Session session;      // the current or last launch
  ThroughputHistory history;
  std::vector<Bench> benches;      // the most specific first; may be empty
  std::optional<Verdict> verdict;  // the last verdict on the chosen kernel
  SourcePlace selected;            // line and file of the source, shared by panels
  bool presenting = false;         // one panel in large type
  double now_s = 0;                // time since the viewer started
};

}  // namespace histolab::viewer
