// The race stepper: two to four threads that update one bin, step by step, in any order. It also
// steps through a recording of a real kernel (`histolab race --kernel`).
//
// Settings of a tour's stop: "scenario" (1 to 4, from the lecture); or "threads", "increments",
// "atomic", "seed"; or "kernel" (a file, or a lab for its solution). "step" is the number of steps
// done.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "grader/lab/attempt.h"
#include "grader/words/words.h"
#include "imgui.h"
#include "misc/cpp/imgui_stdlib.h"
#include "reference/splitmix64.h"
#include "viewer/feed/job.h"
#include "viewer/model/json_access.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/race_counts.h"
#include "viewer/panels/race_view.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

using reference::Increments;

constexpr int first_scenario = 3;  // loses an update

std::string name_of_scenario(int number) {
  return fmt::format("{}: {}", number,
                     reference::lecture_scenarios()[static_cast<std::size_t>(number) - 1].title);
}

// The name as in the menu: "02-atomic-add, solution".
std::string name_of_kernel(const Catalogue& catalogue, const std::string& path) {
  for (const Lab& lab : catalogue.labs)
    for (const KernelFile& each : lab.kernels)
      if (each.path == path) return fmt::format("{}, {}", lab.name, each.label());
  return std::filesystem::path(path).filename().string();
}

RaceScript script_of_scenario(int number) {
  return {Increments{}, reference::lecture_scenarios()[static_cast<std::size_t>(number) - 1].order};
}

template <class T>
T within(const nlohmann::json& settings, const char* key, T least, T most, T fallback) {
  return std::clamp(number<T>(settings, key, fallback), least, most);
}

class RacePanel final : public Panel {
 public:
  Info info() const override {
    return {"race", "Race stepper", "threads that update one bin, step by step and in any order"};
  }

  void draw(Workspace& workspace) override {
    take_recording();
    if (!workspace.presenting) choose(workspace);
    step_buttons(workspace);
    if (job_) wrapped_text(palette().quiet, "recording the kernel's threads ...");
    if (!failure_.empty()) wrapped_text(palette().lost, failure_);
    draw_threads(script_);
    draw_sentence();
    draw_below(workspace.presenting);
  }

  void prepare(const nlohmann::json& settings, Workspace& workspace) override {
    if (!settings.is_object()) return;
    shape_.threads = within(settings, "threads", 2u, RaceScript::most_threads, shape_.threads);
    shape_.increments =
        within(settings, "increments", 1u, RaceScript::most_increments, shape_.increments);
    if (settings.contains("atomic")) shape_.atomic = flag(settings, "atomic");
    seed_ = within(settings, "seed", std::uint64_t{0}, reference::max_seed, seed_);
    wanted_step_ = number<std::size_t>(settings, "step");
    if (const std::string kernel = exact_text(settings, "kernel"); !kernel.empty()) {
      const Lab* const lab = workspace.catalogue.find(kernel);
      record(workspace,
             lab != nullptr && lab->solution() != nullptr ? lab->solution()->path : kernel);
      return;
    }
    if (settings.contains("scenario"))
      show_scenario(within(settings, "scenario", 1, 4, first_scenario));
    else
      show_seed();
    script_.go_to(wanted_step_);
  }

  bool busy() const override { return job_ || counts_.busy(); }

 private:
  // ---- the script ------------------------------------------------------------------------------

  void show_scenario(int number) {
    kernel_.clear();
    source_.clear();
    failure_.clear();
    job_.reset();
    shape_ = {};
    scenario_ = number;
    script_ = script_of_scenario(number);
  }
  void show_seed() {
    kernel_.clear();
    source_.clear();
    failure_.clear();
    job_.reset();
    scenario_ = 0;
    script_ = {shape_, reference::random_interleaving(shape_, seed_)};
  }
  void record(const Workspace& workspace, const std::string& kernel) {
    kernel_ = kernel;
    kernel_name_ = name_of_kernel(workspace.catalogue, kernel);
    failure_.clear();
    job_.emplace(workspace.places.command({"race", "--kernel", kernel, "--threads",
                                           fmt::format("{}", shape_.threads), "--seed",
                                           fmt::format("{}", seed_), "--json"}));
  }
  void take_recording() {
    if (!job_) return;
    const std::optional<Result<nlohmann::json>> report = job_->take();
    if (!report) return;
    job_.reset();
    const Result<RaceScript> script =
        *report ? RaceScript::of_recording(**report) : Result<RaceScript>{report->error()};
    if (!script) {
      failure_ = script.error().message;
      return;
    }
    script_ = *script;
    scenario_ = 0;
    script_.go_to(std::exchange(wanted_step_, 0));
    Result<std::string> source = grader::read_kernel(kernel_);
    if (source)
      source_ = std::move(*source);
    else
      failure_ = source.error().message;
  }

  // ---- controls ---------------------------------------------------------------------------------

  void choose(const Workspace& workspace) {
    ImGui::SetNextItemWidth(em(15));
    if (ImGui::BeginCombo("##scenario", shown_order().c_str(), ImGuiComboFlags_HeightLarge)) {
      for (int number = 1; number <= static_cast<int>(reference::lecture_scenarios().size());
           ++number)
        if (ImGui::Selectable(name_of_scenario(number).c_str(), number == scenario_))
          show_scenario(number);
      if (ImGui::Selectable("random", scenario_ == 0 && kernel_.empty())) show_seed();
      ImGui::EndCombo();
    }
    ImGui::SetItemTooltip("four orders of two threads, as in a lecture, or a random one");
    bool changed = false;
    if (ImGui::GetContentRegionAvail().x > em(56)) {
      ImGui::SameLine();
      changed = choose_shape();
    } else {
      same_line_if_room(em(4));
      if (ImGui::Button("Choose")) ImGui::OpenPopup("shape");
      ImGui::SetItemTooltip("threads, increments, atomicAdd, seed");
      if (ImGui::BeginPopup("shape")) {
        changed = choose_shape();
        ImGui::EndPopup();
      }
    }
    same_line_if_room(em(5));
    if (ImGui::Button("Kernel ...")) ImGui::OpenPopup("kernels");
    ImGui::SetItemTooltip("step through a recording of a real kernel");
    choose_kernel(workspace);
    if (!changed) return;
    if (kernel_.empty())
      show_seed();
    else
      record(workspace, std::string{kernel_});
  }

  [[nodiscard]] std::string shown_order() const {
    if (!kernel_.empty()) return kernel_name_;
    if (script_.rearranged()) return "custom order";
    return scenario_ > 0 ? name_of_scenario(scenario_) : fmt::format("random, seed {}", seed_);
  }

  bool choose_shape() {
    bool changed = number_of("threads", shape_.threads, 2, RaceScript::most_threads);
    ImGui::BeginDisabled(!kernel_.empty());  // a recording has its own shape
    same_line_if_room(em(10));
    changed |= number_of("increments", shape_.increments, 1, RaceScript::most_increments);
    ImGui::SetItemTooltip("increments per thread");
    same_line_if_room(em(7));
    changed |= ImGui::Checkbox("atomicAdd", &shape_.atomic);
    ImGui::SetItemTooltip("each increment is one atomic step");
    ImGui::EndDisabled();
    same_line_if_room(em(5));
    if (ImGui::Button("Random")) {
      ++seed_;
      changed = true;
    }
    ImGui::SetItemTooltip("random order of the next seed");
    same_line_if_room(em(7));
    ImGui::SetNextItemWidth(em(4));
    changed |= ImGui::InputScalar("seed", ImGuiDataType_U64, &seed_, nullptr, nullptr, "%llu");
    seed_ = std::min(seed_, reference::max_seed);
    return changed;
  }

  static bool number_of(const char* label, std::uint32_t& value, std::uint32_t least,
                        std::uint32_t most) {
    const std::uint32_t step = 1;
    ImGui::SetNextItemWidth(em(5.5f));
    const bool changed = ImGui::InputScalar(label, ImGuiDataType_U32, &value, &step, nullptr, "%u");
    value = std::clamp(value, least, most);
    return changed;
  }

  void choose_kernel(const Workspace& workspace) {
    if (!ImGui::BeginPopup("kernels")) return;
    for (const Lab& lab : workspace.catalogue.labs) {
      if (!ImGui::BeginMenu(lab.name.c_str())) continue;
      for (const KernelFile& each : lab.kernels)
        if (ImGui::MenuItem(each.label().c_str(), nullptr, each.path == kernel_))
          record(workspace, each.path);
      ImGui::EndMenu();
    }
    ImGui::SetNextItemWidth(em(18));
    if (ImGui::InputTextWithHint("##file", "file name, then Enter", &typed_,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        !typed_.empty()) {
      record(workspace, typed_);
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }

  void step_buttons(const Workspace& workspace) {
    const std::size_t made = script_.made();
    const auto button = [](const char* label, bool can, const char* about) {
      ImGui::BeginDisabled(!can);
      const bool clicked = ImGui::Button(label, {em(4.2f), 0});
      ImGui::EndDisabled();
      ImGui::SetItemTooltip("%s", about);
      ImGui::SameLine();
      return clicked;
    };
    if (button("Start", made > 0, "go to the start")) script_.go_to(0);
    ImGui::PushItemFlag(ImGuiItemFlags_ButtonRepeat, true);
    if (button("Back", made > 0, "undo the last step (Left)")) script_.back();
    if (button("Forward", !script_.ended(), "the next step of this order (Right)"))
      script_.forward();
    ImGui::PopItemFlag();
    if (button("End", !script_.ended(), "go to the end")) script_.go_to(script_.steps().size());
    // In the tour the arrow keys change stops.
    if (workspace.presenting) {
      if (ImGui::IsKeyPressed(ImGuiKey_N)) script_.forward();
      if (ImGui::IsKeyPressed(ImGuiKey_R, false)) script_.go_to(0);
    } else {
      if (ImGui::Shortcut(ImGuiKey_LeftArrow, ImGuiInputFlags_Repeat)) script_.back();
      if (ImGui::Shortcut(ImGuiKey_RightArrow, ImGuiInputFlags_Repeat)) script_.forward();
    }
    same_line_if_room(em(8));
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("step %zu of %zu%s", script_.made(), script_.steps().size(),
                        workspace.presenting ? "; R: start, N: next" : "");
  }

  // ---- below the threads ------------------------------------------------------------------------

  void draw_sentence() {
    const float top = ImGui::GetCursorPosY();
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.2f);
    const bool at_end = script_.ended();
    const bool lost =
        at_end ? script_.loses() : script_.last() != nullptr && !script_.last()->remark.empty();
    const bool right = at_end && script_.any_order() && !script_.loses();
    wrapped_text(outcome_color(lost, right), script_.sentence());
    const float two_lines = 2 * ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
    ImGui::PopFont();
    // The rest keeps its position while sentences change.
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), top + two_lines));
    if (script_.kernel().empty()) return;
    if (!script_.any_order())
      wrapped_text(palette().note,
                   "This kernel does more than increment one bin in each thread. Its steps can "
                   "only be shown in the recorded order.");
    if (script_.cut()) wrapped_text(palette().note, "The recording ends before the kernel does.");
    const int line = script_.last() == nullptr ? 0 : script_.last()->line;
    const CodeFont code;
    wrapped_text(
        palette().quiet,
        line == 0 ? kernel_ : fmt::format("{:>4} | {}", line, grader::line_of(source_, line)));
  }

  // In a tour nothing may be below the window's edge, because a presenter does not scroll.
  void draw_below(bool presenting) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float height = presenting ? std::max(1.0f, room.y) : std::max(em(9), room.y);
    const bool follow = std::exchange(followed_, script_.made()) != script_.made();
    if (!script_.any_order()) {
      draw_steps(script_, {0, height}, follow);
    } else if (room.x > em(42)) {
      draw_steps(script_, {room.x * 0.56f, height}, follow);
      ImGui::SameLine();
      if (ImGui::BeginChild("counts", {0, height}))
        counts_.draw(*script_.shape(), ImGui::GetContentRegionAvail());
      ImGui::EndChild();
    } else if (ImGui::BeginTabBar("below")) {
      if (ImGui::BeginTabItem("Steps")) {
        draw_steps(script_, {0, std::max(em(8), ImGui::GetContentRegionAvail().y)}, follow);
        ImGui::EndTabItem();
      }
      if (ImGui::BeginTabItem("All interleavings")) {
        counts_.draw(*script_.shape(), {ImGui::GetContentRegionAvail().x,
                                        std::max(em(12), ImGui::GetContentRegionAvail().y)});
        ImGui::EndTabItem();
      }
      ImGui::EndTabBar();
    }
  }

  Increments shape_;
  std::uint64_t seed_ = 1;
  int scenario_ = first_scenario;  // 0 if not a scenario
  RaceScript script_ = script_of_scenario(first_scenario);
  RaceCounts counts_;
  std::size_t followed_ = 0;     // made() when the rows were last drawn
  std::size_t wanted_step_ = 0;  // applied when the recording arrives
  std::string kernel_, kernel_name_, typed_, source_, failure_;
  std::optional<Job> job_;
};

}  // namespace

std::unique_ptr<Panel> make_race_panel() { return std::make_unique<RacePanel>(); }

}  // namespace histolab::viewer
