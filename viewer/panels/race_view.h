// RaceView: draws a RaceScript: the threads with memory between them, and a row per step.
#pragma once

#include "imgui.h"
#include "viewer/model/race_script.h"

namespace histolab::viewer {

// Each thread is a button, "T1". A click makes its next step.
void draw_threads(RaceScript& script);
// A click on a row goes to the time of its step. `follow` scrolls to the last step done.
void draw_steps(RaceScript& script, ImVec2 size, bool follow);

}  // namespace histolab::viewer
