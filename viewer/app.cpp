#include "viewer/app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "grader/files/write_file.h"
#include "grader/words/words.h"
#include "implot.h"
#include "viewer/ui/fonts.h"

namespace histolab::viewer {
namespace {

constexpr double message_s = 6;

Error no_such_panel(const std::string& id, const std::vector<std::unique_ptr<Panel>>& panels) {
  std::vector<std::string> ids;
  for (const auto& panel : panels) ids.emplace_back(panel->info().id);
  return Error{fmt::format("there is no panel \"{}\"; choose {}", id, grader::either(ids))};
}

// Returns an Error if the tour is missing or invalid, or if a stop names an unknown panel.
Result<Tour> tour_through(const std::vector<std::unique_ptr<Panel>>& panels,
                          const std::string& file) {
  Tour tour = TRY(read_tour(file));
  for (const TourStop& stop : tour.stops)
    if (std::ranges::none_of(panels,
                             [&](const auto& each) { return each->info().id == stop.panel; }))
      return Error{fmt::format("{}: {}", file, no_such_panel(stop.panel, panels).message)};
  return tour;
}

}  // namespace

App::App(Places places, AppOptions options)
    : options_(std::move(options)), workspace_(std::move(places)), panels_(make_panels()) {}

App::~App() {
  if (!options_.remember || settings_file_.empty()) return;
  apply_settings();
  if (layout_file_.empty() || rearrange_) return;  // the layout was never drawn
  std::error_code failure;
  std::filesystem::create_directories(workspace_.places.config, failure);
  const Status written = grader::write_file(layout_file_, ImGui::SaveIniSettingsToMemory());
  if (!written)
    std::fprintf(stderr, "histolab: cannot save the layout: %s\n", written.error().message.c_str());
}

Result<std::unique_ptr<App>> App::make(Places places, AppOptions options) {
  std::unique_ptr<App> app{new App{std::move(places), std::move(options)}};
  const AppOptions& wanted = app->options_;
  Workspace& workspace = app->workspace_;
  if (!wanted.panel.empty() && app->panel(wanted.panel) == nullptr)
    return no_such_panel(wanted.panel, app->panels_);
  if (Result<Tour> tour = tour_through(app->panels_, workspace.places.tour); tour)
    app->tour_ = std::move(*tour);
  else if (wanted.tour)
    return tour.error();
  else
    app->tour_problem_ = tour.error().message;
  if (wanted.tour) TRY(check_stop(app->tour_, wanted.tour_stop));
  workspace.benches = read_benches(workspace.places.measurements);

  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigDpiScaleFonts = true;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.IniFilename = nullptr;  // the destructor writes it atomically
  if (const std::string problem = load_fonts(workspace.places.fonts); !problem.empty())
    app->show_message(problem);
  LaunchChoice& choice = workspace.choice;
  choice.program = wanted.program;
  if (wanted.remember && !workspace.places.config.empty()) {
    app->settings_file_ = workspace.places.config + "/viewer.json";
    app->settings_ = app->saved_ = read_settings(app->settings_file_);
    // A program has its own layout, which is not saved.
    if (!choice.is_program()) app->layout_file_ = workspace.places.config + "/viewer-layout.ini";
  } else {
    app->settings_.hint_seen = true;
  }
  std::error_code ignored;
  if (std::filesystem::exists(app->layout_file_, ignored) && !wanted.layout)
    ImGui::LoadIniSettingsFromDisk(app->layout_file_.c_str());
  else
    app->choose_layout(
        wanted.layout.value_or(choice.is_program() ? Layout::program : Layout::lecture));
  app->alone_ = wanted.panel;
  if (wanted.theme) app->settings_.theme = *wanted.theme;
  if (wanted.font_scale > 0) app->settings_.font_scale = wanted.font_scale;
  apply_theme(app->settings_.theme);

  if (!wanted.lab.empty()) choice.lab = wanted.lab;
  choice.kernel = wanted.kernel;
  if (!wanted.dataset.empty()) choice.dataset = wanted.dataset;
  if (!wanted.device.empty()) choice.device = wanted.device;
  app->listing_.emplace(workspace.places.command({"list", "--json"}));
  return app;
}

Panel* App::panel(std::string_view id) const {
  const auto found =
      std::ranges::find_if(panels_, [&](const auto& each) { return each->info().id == id; });
  return found == panels_.end() ? nullptr : found->get();
}

void App::choose_kernel_of_lab() {
  LaunchChoice& choice = workspace_.choice;
  const Catalogue& catalogue = workspace_.catalogue;
  const Lab* lab = catalogue.find(choice.lab);
  if (lab == nullptr && options_.lab.empty() && !catalogue.labs.empty())
    lab = &catalogue.labs.front();
  if (lab == nullptr) return;
  choice.lab = lab->name;
  if (const KernelFile* kernel = lab->preferred(); choice.kernel.empty() && kernel != nullptr)
    choice.kernel = kernel->path;
}

void App::choose_layout(Layout layout) {
  rearrange_ = layout;
  alone_.clear();
  for (const auto& each : panels_) each->open = is_in(layout, each->info().id);
}

void App::update(double now_s) {
  workspace_.now_s = now_s;
  if (listing_) {
    if (std::optional<Result<nlohmann::json>> list = listing_->take()) {
      if (*list)
        workspace_.catalogue = catalogue_in(**list);
      else
        show_message((*list).error().message);
      listing_.reset();
      choose_kernel_of_lab();
    }
  }
  // The first launch waits for the list of labs, which names the kernels.
  if (!started_ && !listing_) {
    started_ = true;
    if (stop_)
      go_to(*stop_);
    else if (options_.tour)
      present(static_cast<std::size_t>(options_.tour_stop - 1));
    else if (options_.run_at_once)
      workspace_.session.start(workspace_.choice);
  }
  workspace_.session.update();
  for (const RunSummary& run : workspace_.session.finished())
    if (run.program.empty()) workspace_.history.add(run, now_s);
  std::erase_if(messages_, [&](const Message& message) { return message.until_s < now_s; });
}

bool App::busy() const {
  const auto panel_is_busy = [](const Panel* each) { return each->busy(); };
  return !started_ || listing_ || workspace_.session.active() || !messages_.empty() ||
         std::ranges::any_of(visible_panels_, panel_is_busy);
}

void App::show_message(std::string message) {
  std::erase_if(messages_, [&](const Message& each) { return each.text == message; });
  messages_.push_back({std::move(message), workspace_.now_s + message_s});
}

void App::show_only(std::string_view id) { alone_ = id; }

void App::present(std::size_t stop) {
  if (tour_.stops.empty()) {
    show_message(tour_problem_);
    return;
  }
  if (!stop_) before_tour_ = workspace_.choice.program;
  workspace_.presenting = true;
  settings_.hint_seen = true;  // the hint describes the launch of a first visit, not this one
  go_to(std::min(stop, tour_.stops.size() - 1));
}

void App::stop_presenting() {
  stop_.reset();
  blank_ = false;
  workspace_.presenting = false;
  workspace_.choice.program = std::exchange(before_tour_, {});
  if (workspace_.choice.is_program()) workspace_.session.start(workspace_.choice);
}

void App::go_to(std::size_t number) {
  stop_ = last_stop_ = number;
  if (!started_) return;  // the solutions are not known yet; update() opens the stop later
  const TourStop& stop = tour_.stops[number];
  workspace_.session.set_speed(stop.speed);
  if (const std::optional<LaunchChoice> choice = choice_of(stop, workspace_.catalogue)) {
    workspace_.choice = *choice;
    if (stop.run) workspace_.session.start(workspace_.choice);
  } else if (!stop.lab.empty()) {
    workspace_.session.clear();
    show_message(fmt::format(
        "stop {} shows the {} of lab {}, which this kit lacks (a student edition has no solutions)",
        number + 1, stop.kernel.empty() ? "solution" : stop.kernel, stop.lab));
  }
  if (Panel* const shown = panel(stop.panel)) shown->prepare(stop.settings, workspace_);
}

void App::apply_settings() {
  if (settings_ == saved_ || settings_file_.empty()) return;
  if (Status written = write_settings(settings_file_, settings_); !written)
    show_message(written.error().message);
  saved_ = settings_;  // report a failure to write only once
}

void App::after_frame(const std::function<Result<std::string>()>& take_picture) {
  if (std::exchange(picture_wanted_, false)) {
    const Result<std::string> picture = take_picture();
    show_message(picture ? fmt::format("picture saved as {}", *picture) : picture.error().message);
  }
  apply_settings();
}

}  // namespace histolab::viewer
