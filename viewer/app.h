// App: updates and draws the viewer, frame by frame. It owns the workspace and the panels. Around
// the panels it draws the menu, the docked layout or a single panel, the captions of the tour, the
// hint for a first visit, and short messages.
//
//   Feed -> Session.update -> Workspace -> Panel.draw
//
// An App needs the contexts of ImGui and ImPlot but no Screen, so a test can drive it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "imgui.h"
#include "viewer/feed/job.h"
#include "viewer/layout.h"
#include "viewer/model/tour.h"
#include "viewer/panels/panel.h"
#include "viewer/ui/settings.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {

struct AppOptions {
  std::string lab, kernel, dataset, device;  // the first launch; defaults if empty
  ProgramChoice program;                     // instead of a lab, if it has files
  std::string panel;                         // the only panel shown, if not empty
  bool tour = false;                         // starts the tour with the first frame
  int tour_stop = 1;                         // the first stop is 1
  std::optional<Theme> theme;                // else the last one used
  std::optional<Layout> layout;              // else the saved layout
  float font_scale = 0;                      // the last one used if 0
  bool remember = true;     // saves settings and layout; not for a picture or a benchmark
  bool run_at_once = true;  // starts the first launch immediately
};

class App {
 public:
  // Returns an Error if an option names something that does not exist.
  static Result<std::unique_ptr<App>> make(Places places, AppOptions options);
  ~App();

  void update(double now_s);  // takes what arrived since the last frame
  void draw();                // between ImGui::NewFrame and ImGui::Render
  // Carries out the requests of this frame, such as taking a picture.
  void after_frame(const std::function<Result<std::string>()>& take_picture);

  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Panel* panel(std::string_view id) const;
  [[nodiscard]] std::size_t panels() const { return panels_.size(); }
  // Whether anything visible is moving or still pending.
  [[nodiscard]] bool busy() const;
  [[nodiscard]] bool wants_to_close() const { return close_; }
  [[nodiscard]] bool take_full_screen_toggle() { return std::exchange(full_screen_, false); }
  void show_only(std::string_view id);  // restores the layout if `id` is empty
  void present(std::size_t stop);
  void stop_presenting();
  void show_message(std::string message);  // shows a message for a few seconds

 private:
  // Sizes in pixels.
  struct Caption {
    std::string number;  // "3 / 12"
    float type = 0, title_type = 0, height = 0;
  };
  App(Places places, AppOptions options);
  void choose_kernel_of_lab();
  void choose_layout(Layout layout);  // for the next frame
  void apply_settings();
  void handle_keys();
  void handle_tour_keys();
  void hide_resting_mouse();
  void draw_blank();
  void draw_menu();
  void draw_docked();
  void draw_panel(Panel& panel);
  void draw_alone(Panel& panel, float below);
  [[nodiscard]] float presenting_scale() const;
  [[nodiscard]] float presenting_shapes() const;
  [[nodiscard]] Caption caption_of(const TourStop& stop) const;
  void draw_caption(const Caption& caption);
  void draw_hint();
  void draw_keys();
  void draw_messages();
  void go_to(std::size_t stop);

  AppOptions options_;
  Workspace workspace_;
  std::vector<std::unique_ptr<Panel>> panels_;
  std::vector<const Panel*> visible_panels_;  // visible in the last frame
  std::optional<Job> listing_;
  Tour tour_;
  std::string tour_problem_;         // the reason why the tour has no stops
  std::optional<std::size_t> stop_;  // set while presenting
  std::size_t last_stop_ = 0;        // the stop that was shown last
  ProgramChoice before_tour_;        // the program that the tour interrupts
  bool blank_ = false;               // the screen is black during the tour
  ImVec2 mouse_at_{};
  double mouse_moved_s_ = 0;  // workspace_.now_s when the mouse was last used
  float tour_zoom_ = 1;       // Ctrl + and Ctrl - while presenting
  std::string alone_;         // the panel that fills the window; all are docked if empty
  Settings settings_, saved_;
  std::string settings_file_, layout_file_;
  std::optional<Layout> rearrange_;
  struct Message {
    std::string text;
    double until_s;
  };
  std::vector<Message> messages_;
  bool keys_shown_ = false, close_ = false, full_screen_ = false, picture_wanted_ = false,
       started_ = false;
};

}  // namespace histolab::viewer
