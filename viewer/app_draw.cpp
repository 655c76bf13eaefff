// App: draws everything around the panels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "imgui.h"
#include "viewer/app.h"
#include "viewer/ui/fonts.h"

namespace histolab::viewer {
namespace {

constexpr ImGuiWindowFlags fixed_window = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings |
                                          ImGuiWindowFlags_NoDocking;
// Lines of text in the height of the window during the tour. With 28 lines, text is 26 pixels high
// in a window of 720. At the back of a lecture hall, eight heights away, a small letter then covers
// 7 arc minutes; good eyes need 5. The user may choose larger text, down to 26 lines: the panels
// are designed to fit that.
constexpr float most_lines = 28, least_lines = 26;
// Text sizes in the window's width. A panel needs so many to show its parts side by side.
constexpr float least_columns = 44;
constexpr float most_of_window = 0.45f;  // maximum share for a caption

struct Key {
  const char* keys;
  const char* what;
};
constexpr std::array<Key, 14> keys{{
    {"Space", "run, pause, resume"},
    {"N", "one step of the launch; in the tour, also of the race"},
    {"R", "start again"},
    {"1 ... 8", "show only that panel; 0: all panels"},
    {"F5, Shift + F5", "start the tour; continue it at the last stop"},
    {"B, Esc", "in the tour: black screen; end the tour"},
    {"Page Down, Right", "next stop of the tour (a clicker's keys)"},
    {"Page Up, Left", "previous stop of the tour"},
    {"Left, Right", "in the race stepper: one step back, one step forward"},
    {"F11", "full screen"},
    {"F12", "save a picture of the window as PNG"},
    {"Ctrl +, Ctrl -", "larger and smaller text"},
    {"F1", "show these keys"},
    {"Ctrl + Q", "close the window"},
}};

// Makes the next window cover the viewport, except the menu and `below` points at the bottom.
void next_window_fills(float below) {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->WorkPos);
  ImGui::SetNextWindowSize(
      {std::max(1.0f, viewport->WorkSize.x), std::max(1.0f, viewport->WorkSize.y - below)});
}

}  // namespace

void App::draw() {
  visible_panels_.clear();
  handle_keys();
  if (stop_) hide_resting_mouse();
  if (blank_) return draw_blank();
  ImGui::GetStyle().FontScaleMain = stop_ ? presenting_scale() : settings_.font_scale;
  if (const float shapes = stop_ ? presenting_shapes() : 1; shapes != shapes_scale())
    scale_shapes(shapes);
  if (stop_) {
    const Caption caption = caption_of(tour_.stops[*stop_]);
    if (Panel* const shown = panel(tour_.stops[*stop_].panel)) draw_alone(*shown, caption.height);
    draw_caption(caption);
  } else {
    draw_menu();
    Panel* const shown = alone_.empty() ? nullptr : panel(alone_);
    if (shown != nullptr)
      draw_alone(*shown, 0);
    else
      draw_docked();
    if (!settings_.hint_seen && !workspace_.choice.is_program()) draw_hint();
  }
  if (keys_shown_) draw_keys();
  draw_messages();
}

void App::handle_keys() {
  ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [](ImGuiKeyChord chord) { return ImGui::IsKeyChordPressed(chord); };
  io.ConfigFlags = stop_ ? io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard
                         : io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard;
  if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) keys_shown_ = !keys_shown_;
  if (ImGui::IsKeyPressed(ImGuiKey_F11, false)) full_screen_ = true;
  if (ImGui::IsKeyPressed(ImGuiKey_F12, false)) picture_wanted_ = true;
  // Clickers send F5 to begin, even if the tour is already shown.
  if (ImGui::IsKeyPressed(ImGuiKey_F5, false) && !stop_) present(io.KeyShift ? last_stop_ : 0);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Q)) close_ = true;
  float& scale = stop_ ? tour_zoom_ : settings_.font_scale;
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Equal) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadAdd))
    scale = std::min(3.0f, scale * 1.1f);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Minus) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract))
    scale = std::max(0.5f, scale / 1.1f);
  if (io.WantTextInput) return;  // the user types text: the keys below are letters

  if (stop_) {
    handle_tour_keys();
    if (!stop_ || blank_) return;
  } else if (io.KeyMods == ImGuiMod_None) {
    for (int digit = 0; digit <= 9; ++digit) {
      if (!ImGui::IsKeyPressed(static_cast<ImGuiKey>(ImGuiKey_0 + digit), false)) continue;
      if (digit == 0)
        alone_.clear();
      else if (static_cast<std::size_t>(digit) <= panels_.size())
        alone_ = panels_[static_cast<std::size_t>(digit) - 1]->info().id;
    }
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !alone_.empty()) alone_.clear();
  }
  Session& session = workspace_.session;
  if (io.KeyMods != ImGuiMod_None) return;
  if (stop_ && tour_.stops[*stop_].lab.empty()) return;  // this stop has no launch
  // If a control has the keyboard focus, Space presses the control.
  if (ImGui::IsKeyPressed(ImGuiKey_Space, false) && !io.NavVisible) {
    if (!session.active())
      session.start(workspace_.choice);
    else if (session.run().phase() == LiveRun::Phase::paused)
      session.resume();
    else
      session.pause();
  }
  if (ImGui::IsKeyPressed(ImGuiKey_N)) session.step(workspace_.choice, 1);
  if (ImGui::IsKeyPressed(ImGuiKey_R, false)) session.start(workspace_.choice);
}

void App::handle_tour_keys() {
  // The keys that change stops must not also move the keyboard focus. A focused control would show
  // its tooltip over the panel and react to Space.
  ImGui::SetNavCursorVisible(false);
  const auto any = [](std::initializer_list<ImGuiKey> choices) {
    return std::ranges::any_of(choices,
                               [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); });
  };
  if (blank_) {  // the next key only shows the tour again
    blank_ =
        !any({ImGuiKey_B, ImGuiKey_Period, ImGuiKey_Space, ImGuiKey_PageDown, ImGuiKey_RightArrow,
              ImGuiKey_PageUp, ImGuiKey_LeftArrow, ImGuiKey_Escape, ImGuiKey_F5});
    return;
  }
  if (any({ImGuiKey_B, ImGuiKey_Period})) {
    blank_ = true;
    return;
  }
  if (any({ImGuiKey_PageDown, ImGuiKey_RightArrow}) && *stop_ + 1 < tour_.stops.size())
    go_to(*stop_ + 1);
  if (any({ImGuiKey_PageUp, ImGuiKey_LeftArrow}) && *stop_ > 0) go_to(*stop_ - 1);
  if (any({ImGuiKey_Home})) go_to(0);
  if (any({ImGuiKey_End})) go_to(tour_.stops.size() - 1);
  if (any({ImGuiKey_Escape})) stop_presenting();
}

// Otherwise a resting mouse would leave its cursor and a tooltip on the panel.
void App::hide_resting_mouse() {
  constexpr double rest_s = 2;
  ImGuiIO& io = ImGui::GetIO();
  const bool seen = ImGui::IsMousePosValid();
  const bool moved = seen && (io.MousePos.x != mouse_at_.x || io.MousePos.y != mouse_at_.y);
  if (moved || io.MouseWheel != 0 || ImGui::IsAnyMouseDown()) mouse_moved_s_ = workspace_.now_s;
  if (seen) mouse_at_ = io.MousePos;
  if (workspace_.now_s - mouse_moved_s_ < rest_s) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  constexpr float away = std::numeric_limits<float>::max();
  if (seen) io.AddMousePosEvent(-away, -away);
}

void App::draw_blank() {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::GetBackgroundDrawList()->AddRectFilled(
      viewport->Pos, {viewport->Pos.x + viewport->Size.x, viewport->Pos.y + viewport->Size.y},
      IM_COL32_BLACK);
}

void App::draw_menu() {
  if (!ImGui::BeginMainMenuBar()) return;
  if (ImGui::BeginMenu("View")) {
    if (ImGui::MenuItem("All panels, docked", "0", alone_.empty())) alone_.clear();
    if (ImGui::BeginMenu("Only")) {
      for (std::size_t i = 0; i < panels_.size(); ++i) {
        const Panel::Info info = panels_[i]->info();
        if (ImGui::MenuItem(info.title, fmt::format("{}", i + 1).c_str(), alone_ == info.id))
          alone_ = info.id;
        ImGui::SetItemTooltip("%s", info.about);
      }
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Open")) {
      for (const auto& each : panels_) ImGui::MenuItem(each->info().title, nullptr, &each->open);
      ImGui::EndMenu();
    }
    if (ImGui::BeginMenu("Layout")) {
      for (const NamedLayout& each : layouts()) {
        if (ImGui::MenuItem(each.name)) choose_layout(each.layout);
        ImGui::SetItemTooltip("%s", each.about);
      }
      ImGui::EndMenu();
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Dark", nullptr, settings_.theme == Theme::dark))
      apply_theme(settings_.theme = Theme::dark);
    if (ImGui::MenuItem("Light", nullptr, settings_.theme == Theme::light))
      apply_theme(settings_.theme = Theme::light);
    ImGui::Separator();
    if (ImGui::MenuItem("Full screen", "F11")) full_screen_ = true;
    if (ImGui::MenuItem("Save a picture", "F12")) picture_wanted_ = true;
    if (ImGui::MenuItem("Close", "Ctrl+Q")) close_ = true;
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Present")) {
    if (ImGui::MenuItem("From the first stop", "F5", false, !tour_.stops.empty())) present(0);
    if (ImGui::MenuItem("From the last stop", "Shift+F5", false, !tour_.stops.empty()))
      present(last_stop_);
    ImGui::Separator();
    for (std::size_t i = 0; i < tour_.stops.size(); ++i)
      if (ImGui::MenuItem(fmt::format("{:2}  {}", i + 1, tour_.stops[i].title).c_str())) present(i);
    ImGui::EndMenu();
  }
  if (ImGui::BeginMenu("Help")) {
    if (ImGui::MenuItem("Keys", "F1")) keys_shown_ = true;
    if (ImGui::MenuItem("Hint for a first visit")) settings_.hint_seen = false;
    ImGui::Separator();
    ImGui::TextDisabled("histolab %s", HISTOLAB_VERSION);
    ImGui::EndMenu();
  }
  // The current launch, at the right end of the bar.
  const LiveRun& run = workspace_.session.run();
  std::string status;
  if (run.phase() != LiveRun::Phase::idle) {
    const std::string& name = run.begin().name();
    status = run.status();
    status =
        fmt::format("{}{}{}", name, name.empty() ? "" : ": ", status.substr(0, status.find('\n')));
  }
  const float width = ImGui::CalcTextSize(status.c_str()).x + 2 * ImGui::GetStyle().WindowPadding.x;
  if (const float room = ImGui::GetWindowWidth() - ImGui::GetCursorPosX(); width < room) {
    ImGui::SameLine(ImGui::GetWindowWidth() - width);
    ImGui::TextDisabled("%s", status.c_str());
  }
  ImGui::EndMainMenuBar();
}

void App::draw_panel(Panel& panel) {
  visible_panels_.push_back(&panel);
  panel.draw(workspace_);
}

void App::draw_docked() {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  const ImGuiID dock = ImGui::GetID("panels");
  if (rearrange_ && viewport->WorkSize.x > 1 && viewport->WorkSize.y > 1)
    arrange(*std::exchange(rearrange_, {}), dock, viewport->WorkSize, panels_);
  ImGui::DockSpaceOverViewport(dock, viewport);
  for (const auto& each : panels_) {
    if (!each->open) continue;
    ImGui::SetNextWindowSize({480, 360}, ImGuiCond_FirstUseEver);
    if (ImGui::Begin(each->info().title, &each->open)) draw_panel(*each);
    ImGui::End();
  }
}

void App::draw_alone(Panel& shown, float below) {
  next_window_fills(below);
  if (ImGui::Begin(fmt::format("{}###alone-{}", shown.info().title, shown.info().id).c_str(),
                   nullptr, fixed_window))
    draw_panel(shown);
  ImGui::End();
}

// The font scale that is legible at the back of a lecture hall.
float App::presenting_scale() const {
  const ImVec2 room = ImGui::GetMainViewport()->WorkSize;
  const float unit = reading_size * ImGui::GetStyle().FontScaleDpi;
  const float largest = std::min(room.y / least_lines, room.x / least_columns) / unit;
  const float legible = std::min(room.y / most_lines / unit, largest);
  return tour_zoom_ * std::clamp(settings_.font_scale, legible, largest);
}

// Paddings and lines are designed for a window of 1280 x 720.
float App::presenting_shapes() const {
  const ImVec2 room = ImGui::GetMainViewport()->WorkSize;
  return std::max(1.0f, std::min(room.x / 1280, room.y / 720));
}

// A caption is shown completely, below the panel; its height follows its text. Its font gets
// smaller only if the caption would take about half of the window.
App::Caption App::caption_of(const TourStop& stop) const {
  const ImVec2 room = ImGui::GetMainViewport()->WorkSize;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float wrap = std::max(1.0f, room.x - 2 * style.WindowPadding.x);
  Caption caption{fmt::format("{} / {}", *stop_ + 1, tour_.stops.size()), reading_size * 1.1f, 0,
                  0};
  for (; caption.type > 1; caption.type *= 0.95f) {
    caption.title_type = caption.type * 1.2f;
    ImGui::PushFont(nullptr, caption.title_type);
    const float title =
        ImGui::CalcTextSize((caption.number + "  " + stop.title).c_str(), nullptr, false, wrap).y;
    ImGui::PopFont();
    ImGui::PushFont(nullptr, caption.type);
    const float text = ImGui::CalcTextSize(stop.caption.c_str(), nullptr, false, wrap).y;
    ImGui::PopFont();
    caption.height = std::ceil(title + text + style.ItemSpacing.y + 2 * style.WindowPadding.y) + 1;
    if (caption.height <= room.y * most_of_window) break;
  }
  caption.height = std::min(caption.height, std::max(1.0f, room.y * most_of_window));
  return caption;
}

void App::draw_caption(const Caption& caption) {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  const TourStop& stop = tour_.stops[*stop_];
  ImGui::SetNextWindowPos(
      {viewport->WorkPos.x, viewport->WorkPos.y + viewport->WorkSize.y - caption.height});
  ImGui::SetNextWindowSize({std::max(1.0f, viewport->WorkSize.x), caption.height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyle().Colors[ImGuiCol_MenuBarBg]);
  if (ImGui::Begin("###caption", nullptr, fixed_window)) {
    ImGui::PushTextWrapPos(0);
    ImGui::PushFont(nullptr, caption.title_type);
    ImGui::TextColored(palette().accent, "%s", caption.number.c_str());
    ImGui::SameLine();
    ImGui::TextUnformatted(stop.title.c_str());
    ImGui::PopFont();
    ImGui::PushFont(nullptr, caption.type);
    ImGui::TextUnformatted(stop.caption.c_str());
    ImGui::PopFont();
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
  ImGui::PopStyleColor();
}

void App::draw_hint() {
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->WorkPos.x + viewport->WorkSize.x / 2,
                           viewport->WorkPos.y + viewport->WorkSize.y / 2},
                          ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(viewport->WorkSize.x, 520 * settings_.font_scale), 0});
  bool stays = true;
  if (ImGui::Begin("Welcome", &stays,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_AlwaysAutoResize)) {
    ImGui::TextWrapped(
        "This is lab 01: its threads count letters without atomic operations. The outline is the "
        "correct count. Missing updates were lost.");
    ImGui::Spacing();
    ImGui::BulletText("Space runs it, N makes one step; the slider sets the speed.");
    ImGui::BulletText("Choose 02-atomic-add and run again: nothing is lost.");
    ImGui::BulletText("F5 shows a tour of the labs, F1 all keys.");
    ImGui::Spacing();
    if (ImGui::Button("Begin")) stays = false;
  }
  ImGui::End();
  if (!stays) settings_.hint_seen = true;
}

void App::draw_keys() {
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
  if (ImGui::Begin("Keys", &keys_shown_,
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking) &&
      ImGui::BeginTable("keys", 2)) {
    for (const Key& key : keys) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(palette().accent, "%s", key.keys);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(key.what);
    }
    ImGui::EndTable();
  }
  ImGui::End();
}

void App::draw_messages() {
  if (messages_.empty()) return;
  const ImGuiViewport* const viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->WorkPos.x + viewport->WorkSize.x - 12,
                           viewport->WorkPos.y + viewport->WorkSize.y - 12},
                          ImGuiCond_Always, {1, 1});
  ImGui::SetNextWindowBgAlpha(0.92f);
  if (ImGui::Begin("###messages", nullptr,
                   fixed_window | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav))
    for (const Message& message : messages_) {
      ImGui::PushTextWrapPos(viewport->WorkSize.x * 0.6f);
      ImGui::TextUnformatted(message.text.c_str());
      ImGui::PopTextWrapPos();
    }
  ImGui::End();
}

}  // namespace histolab::viewer
