#include "viewer/ui/launch_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "imgui.h"
#include "misc/cpp/imgui_stdlib.h"
#include "reference/splitmix64.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"

namespace histolab::viewer {
std::string kernel_name(const Catalogue& catalogue, const LaunchChoice& choice) {
  if (const Lab* lab = catalogue.find(choice.lab))
    for (const KernelFile& kernel : lab->kernels)
      if (kernel.path == choice.kernel) return kernel.label();
  return std::filesystem::path(choice.kernel).filename().string();
}

bool pick_lab(const Catalogue& catalogue, LaunchChoice& choice) {
  bool changed = false;
  ImGui::SetNextItemWidth(em(10));
  if (ImGui::BeginCombo("##lab", choice.lab.c_str())) {
    for (const Lab& lab : catalogue.labs) {
      if (ImGui::Selectable(lab.name.c_str(), lab.name == choice.lab)) {
        choice.lab = lab.name;
        const KernelFile* kernel = lab.preferred();
        choice.kernel = kernel == nullptr ? std::string{} : kernel->path;
        choice.exports.clear();
        choice.grid = 0;
        changed = true;
      }
      ImGui::SetItemTooltip("%s", lab.summary.c_str());
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("the lab that the kernel belongs to");
  return changed;
}

namespace {

// A text field for a path in the open combo. Only Enter applies it, so an incomplete path is
// ignored.
bool type_path(const char* id, std::string& path) {
  static std::string typed;
  if (ImGui::IsWindowAppearing()) typed.clear();
  ImGui::SetNextItemWidth(em(18));
  if (!ImGui::InputTextWithHint(id, "file name, then Enter", &typed,
                                ImGuiInputTextFlags_EnterReturnsTrue) ||
      typed.empty())
    return false;
  path = std::exchange(typed, {});
  ImGui::CloseCurrentPopup();
  return true;
}

}  // namespace

bool pick_kernel(const Catalogue& catalogue, LaunchChoice& choice) {
  bool changed = false;
  ImGui::SetNextItemWidth(em(12));
  if (ImGui::BeginCombo("##kernel", kernel_name(catalogue, choice).c_str(),
                        ImGuiComboFlags_HeightLarge)) {
    if (const Lab* lab = catalogue.find(choice.lab))
      for (const KernelFile& kernel : lab->kernels) {
        const std::string label = kernel.role == "work"
                                      ? fmt::format("{} ({})", kernel.label(), kernel.path)
                                      : kernel.label();
        if (ImGui::Selectable(label.c_str(), kernel.path == choice.kernel)) {
          choice.kernel = kernel.path;
          changed = true;
        }
        ImGui::SetItemTooltip("%s: %s", kernel.role.c_str(), kernel.path.c_str());
      }
    ImGui::Separator();
    changed |= type_path("##file", choice.kernel);
    ImGui::EndCombo();
  }
  if (changed) choice.exports.clear();  // another kernel has other exports
  ImGui::SetItemTooltip("%s", choice.kernel.c_str());
  return changed;
}

bool pick_dataset(LaunchChoice& choice) {
  bool changed = false;
  ImGui::SetNextItemWidth(em(10));
  if (ImGui::BeginCombo("##dataset", choice.text.empty() ? choice.dataset.c_str() : "typed text",
                        ImGuiComboFlags_HeightLarge)) {
    for (const NamedText& each : datasets_offered()) {
      if (ImGui::Selectable(each.name, choice.text.empty() && choice.dataset == each.name)) {
        choice.dataset = each.name;
        choice.text.clear();
        changed = true;
      }
      ImGui::SetItemTooltip("%s", each.about);
    }
    ImGui::Separator();
    if (type_path("##dataset-file", choice.dataset)) {
      choice.text.clear();
      changed = true;
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("data that the kernel counts");
  return changed;
}

namespace {

bool type_text(LaunchChoice& choice) {
  ImGui::SetNextItemWidth(std::max(em(8), std::min(em(20), ImGui::GetContentRegionAvail().x)));
  return ImGui::InputTextWithHint("##text", "or type some text here", &choice.text);
}

// Edits a whole number. `zero` is the text shown for 0.
template <class T>
bool edit_number(const char* label, T& value, std::uint64_t least, std::uint64_t most,
                 const char* zero, const char* about) {
  auto wide = static_cast<std::uint64_t>(value);
  const std::uint64_t step = 1;
  ImGui::SetNextItemWidth(em(5.5f));
  const std::string format = value == 0 && zero != nullptr ? zero : "%llu";
  const bool changed =
      ImGui::InputScalar(label, ImGuiDataType_U64, &wide, nullptr, &step, format.c_str());
  ImGui::SetItemTooltip("%s", about);
  if (changed) value = static_cast<T>(std::clamp(wide, least, most));
  return changed;
}

}  // namespace

bool edit_length(LaunchChoice& choice) {
  return edit_number("length", choice.length, 0, 1u << 28, nullptr,
                     "number of elements of a generated dataset");
}

namespace {

// Edits the exports of the last kernel that ran, if it is the chosen one. Only a launch reports its
// kernel's exports.
bool edit_exports(LaunchChoice& choice, const Begin& last) {
  if (last.lab != choice.lab || last.kernel != choice.kernel) return false;
  bool changed = false;
  for (const auto& [name, built_in] : last.exports) {
    same_line_if_room(em(12));
    const auto chosen = choice.exports.find(name);
    std::uint32_t value = chosen == choice.exports.end() ? built_in : chosen->second;
    if (edit_number(name == "coarsening_factor" ? "coarsening" : name.c_str(), value, 1, 65'536,
                    nullptr, "exported by the kernel: elements per thread")) {
      choice.exports[name] = value;
      changed = true;
    }
  }
  return changed;
}

bool choose(const char* label, std::string& chosen, const std::vector<NamedText>& offered,
            const char* about) {
  bool changed = false;
  ImGui::SetNextItemWidth(em(8));
  if (ImGui::BeginCombo(label, chosen.c_str())) {
    for (const NamedText& each : offered) {
      if (ImGui::Selectable(each.name, chosen == each.name)) {
        chosen = each.name;
        changed = true;
      }
      ImGui::SetItemTooltip("%s", each.about);
    }
    ImGui::EndCombo();
  }
  ImGui::SetItemTooltip("%s", about);
  return changed;
}

bool edit_shape(Workspace& workspace) {
  LaunchChoice& choice = workspace.choice;
  bool changed = edit_length(choice);
  same_line_if_room(em(9));
  changed |= edit_number("grid", choice.grid, 0, 1u << 24, "lab's",
                         "number of blocks; 0: as in the lab's contract");
  same_line_if_room(em(9));
  changed |= edit_number("block", choice.block, 1, 1024, nullptr, "threads per block");
  changed |= edit_exports(choice, workspace.session.run().begin());
  same_line_if_room(em(13));
  changed |= choose("schedule", choice.schedule, schedules(),
                    "order in which the emulator runs the threads of a block");
  same_line_if_room(em(13));
  changed |= choose("blocks", choice.block_order, block_orders(),
                    "order in which the emulator runs the blocks");
  same_line_if_room(em(9));
  changed |= edit_number("seed", choice.seed, 0, reference::max_seed, nullptr,
                         "seed of the data and of a random schedule");
  return changed;
}

// Positions of the slider: 1, 2, 5, ... steps per second; no limit at its right end.
constexpr int positions = 16;
double speed_at(int position) {
  static constexpr std::array<double, 3> steps{1, 2, 5};
  return position >= positions
             ? 0
             : steps[static_cast<std::size_t>(position % 3)] * std::pow(10.0, position / 3);
}
int position_of(double speed) {
  int position = 0;
  while (position < positions && (speed == 0 || speed_at(position) < speed)) ++position;
  return position;
}

}  // namespace

bool edit_choice(Workspace& workspace) {
  bool changed = pick_lab(workspace.catalogue, workspace.choice);
  same_line_if_room(em(12));
  changed |= pick_kernel(workspace.catalogue, workspace.choice);
  same_line_if_room(em(10));
  changed |= pick_dataset(workspace.choice);
  same_line_if_room(em(12));
  changed |= type_text(workspace.choice);
  changed |= edit_shape(workspace);
  return changed;
}

bool shows_program(const Workspace& workspace) {
  const Session& session = workspace.session;
  return session.controllable() ? workspace.choice.is_program()
                                : session.run().begin().is_program();
}

namespace {

void pick_launch(Workspace& workspace) {
  const Begin& begin = workspace.session.run().begin();
  std::uint64_t& chosen = workspace.choice.program.launch;
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x, em(8), em(24)));
  if (!ImGui::BeginCombo("##launch", begin.title.empty() ? "no launch yet" : begin.title.c_str(),
                         ImGuiComboFlags_HeightLarge))
    return;
  for (std::size_t i = 0; i < begin.launches.size(); ++i) {
    const std::string label = fmt::format("{}  {}", i + 1, begin.launches[i]);
    if (!ImGui::Selectable(label.c_str(), i + 1 == begin.run)) continue;
    chosen = i + 1;
    workspace.session.start(workspace.choice);
  }
  if (begin.launch_count > begin.launches.size())
    ImGui::TextDisabled("%s", fmt::format("and {} more: histolab view --launch N",
                                          begin.launch_count - begin.launches.size())
                                  .c_str());
  ImGui::EndCombo();
}

void pick_file(Workspace& workspace) {
  const Begin& begin = workspace.session.run().begin();
  const std::string shown = begin.file_shown(workspace.selected.file);
  if (begin.sources.size() < 2) return;
  same_line_if_room(em(12));
  ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x, em(8), em(18)));
  if (!ImGui::BeginCombo("##file", shown.c_str())) return;
  for (const SourceText& each : begin.sources)
    if (ImGui::Selectable(each.file.c_str(), each.file == shown))
      workspace.selected = {each.file, 0};
  ImGui::EndCombo();
}

}  // namespace

void program_controls(Workspace& workspace, bool with_files) {
  Session& session = workspace.session;
  const LiveRun& run = session.run();
  if (session.controllable()) {
    if (ImGui::Button("Run", {em(4), 0})) session.start(workspace.choice);
    ImGui::SetItemTooltip("%s", typed_command(workspace.choice).c_str());
    ImGui::SameLine();
    ImGui::BeginDisabled(!session.active());
    if (ImGui::Button("Stop", {em(4), 0})) session.stop();
    ImGui::EndDisabled();
    same_line_if_room(em(12));
    pick_launch(workspace);
  } else {
    one_line(palette().note, fmt::format("{}: {}", session.foreign(), run.begin().title));
  }
  if (with_files) pick_file(workspace);
  if (session.active() && run.phase() == LiveRun::Phase::idle)
    wrapped_text(palette().quiet, "The program is compiled and runs on the emulator ...");
  if (run.phase() != LiveRun::Phase::failed) return;
  // The rest of the panel shows an earlier run.
  const std::string status = run.status();
  wrapped_text(palette().lost, status.substr(0, status.find('\n')));
  ImGui::SetItemTooltip("%s", status.c_str());
}

void run_buttons(Workspace& workspace) {
  Session& session = workspace.session;
  if (!session.controllable()) {
    wrapped_text(palette().note, fmt::format("this is {}", session.foreign()));
    same_line_if_room(em(8));
    if (ImGui::Button("Run here")) session.start(workspace.choice);
    return;
  }
  const bool paused = session.run().phase() == LiveRun::Phase::paused;
  if (ImGui::Button("Run", {em(4), 0})) session.start(workspace.choice);
  ImGui::SetItemTooltip("start the launch again (R)");
  ImGui::SameLine();
  ImGui::BeginDisabled(!session.active());
  if (ImGui::Button(paused ? "Resume" : "Pause", {em(4), 0}))
    paused ? session.resume() : session.pause();
  ImGui::SetItemTooltip("Space");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
  if (ImGui::Button("Step", {em(4), 0})) session.step(workspace.choice, 1);
  ImGui::PopItemFlag();
  ImGui::SetItemTooltip("one step of one warp (N); hold it to repeat");
  ImGui::SameLine();
  ImGui::BeginDisabled(!session.active());
  if (ImGui::Button("Stop", {em(4), 0})) session.stop();
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::Checkbox("repeat", &workspace.choice.repeat);
  ImGui::SetItemTooltip("repeat the launch, each time with the next seed");
  same_line_if_room(em(14));
  int position = position_of(session.speed());
  const std::string shown = position >= positions
                                ? "full speed"
                                : fmt::format("{} steps/s", engineering(speed_at(position)));
  ImGui::SetNextItemWidth(std::min(em(14), std::max(em(6), ImGui::GetContentRegionAvail().x)));
  if (ImGui::SliderInt("##speed", &position, 0, positions, shown.c_str(), ImGuiSliderFlags_NoInput))
    session.set_speed(speed_at(position));
  ImGui::SetItemTooltip("speed of the warps");
}

}  // namespace histolab::viewer
