// LaunchControls: what to run and how, for the panels from which launches are started.
#pragma once

#include "viewer/workspace.h"

namespace histolab::viewer {

// Lab, kernel, dataset and launch shape. True: something was changed.
bool edit_choice(Workspace& workspace);
// Run, pause, step, stop, speed.
void run_buttons(Workspace& workspace);

}  // namespace histolab::viewer
