// LaunchControls: what to run and how, for the panels from which launches are started.
#pragma once

#include "viewer/workspace/workspace.h"

namespace histolab::viewer {

// Lab, kernel, dataset and launch shape. True: something was changed.
bool edit_choice(Workspace& workspace);
// Parts of it. A panel that chooses several launches tells their controls apart by ImGui::PushID.
bool pick_lab(const Catalogue& catalogue, LaunchChoice& choice);
bool pick_kernel(const Catalogue& catalogue, LaunchChoice& choice);
bool pick_dataset(LaunchChoice& choice);  // a generator or a file
bool edit_length(LaunchChoice& choice);
// "solution", "my kernel", "mine.cu".
[[nodiscard]] std::string kernel_name(const Catalogue& catalogue, const LaunchChoice& choice);
// Run, pause, step, stop, speed.
void run_buttons(Workspace& workspace);

}  // namespace histolab::viewer
