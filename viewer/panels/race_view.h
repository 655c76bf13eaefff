// RaceView: how a RaceScript is drawn: the threads with memory between them, and a row for each
// step.
#pragma once

#include "imgui.h"
#include "viewer/model/race_script.h"

namespace histolab::viewer {

// A thread is a button, "T1": clicked, it makes its next step.
void draw_threads(RaceScript& script);
// A click on a row goes to the time when its step was made. `follow` scrolls to the last step that
// is made.
void draw_steps(RaceScript& script, ImVec2 size, bool follow);

}  // namespace histolab::viewer
