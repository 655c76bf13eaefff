// LaunchControls: the controls that choose and start launches, for several panels.
#pragma once

#include "viewer/workspace/workspace.h"

namespace histolab::viewer {

// Edits lab, kernel, dataset and launch shape. Returns whether something was changed.
bool edit_choice(Workspace& workspace);
// Parts of edit_choice(). A panel with several launches distinguishes their controls by
// ImGui::PushID.
bool pick_lab(const Catalogue& catalogue, LaunchChoice& choice);
bool pick_kernel(const Catalogue& catalogue, LaunchChoice& choice);
bool pick_dataset(LaunchChoice& choice);  // a generator or a file
bool edit_length(LaunchChoice& choice);
// Returns "solution", "my kernel" or "mine.cu".
[[nodiscard]] std::string kernel_name(const Catalogue& catalogue, const LaunchChoice& choice);
// The controls of a whole program: run, stop, the launch to show and, if wanted, the file. Below
// them: why the last run shows no launch.
void program_controls(Workspace& workspace, bool with_files);
// Whether a whole program's launch is chosen or shown.
[[nodiscard]] bool shows_program(const Workspace& workspace);
// Run, pause, step, stop, speed.
void run_buttons(Workspace& workspace);

}  // namespace histolab::viewer
