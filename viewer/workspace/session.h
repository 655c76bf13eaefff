// Session: the stream on screen and its controls.
//
// The stream comes from launches that the viewer starts (`histolab run --stream --control`), from
// whole programs that it starts (`histolab exec --stream`), or from another source. Only the first
// ones can be paused. A program runs again when one of its files is saved. update() is called once
// per frame and never waits.
#pragma once

#include <optional>
#include <string>

#include "viewer/feed/feed.h"
#include "viewer/feed/save_watch.h"
#include "viewer/model/launch_choice.h"
#include "viewer/model/live_run.h"

namespace histolab::viewer {

class Session {
 public:
  explicit Session(std::vector<std::string> program) : program_(std::move(program)) {}

  void update();

  void start(const LaunchChoice& choice);  // at the current speed; ends the launch before
  // Runs so many steps and pauses. Starts a launch if none is running. Programs have no steps.
  void step(const LaunchChoice& choice, std::uint64_t steps);
  void pause();
  void resume();
  void stop();
  void clear();                             // ends the launch and clears the display
  void set_speed(double steps_per_second);  // no limit if 0
  [[nodiscard]] double speed() const { return speed_; }
  // Shows a stream from another source; `source` is its name on screen.
  void show(Feed feed, std::string source);

  [[nodiscard]] const LiveRun& run() const { return run_; }
  [[nodiscard]] bool active() const { return feed_.has_value(); }  // whether more events may arrive
  [[nodiscard]] bool controllable() const { return foreign_.empty(); }
  [[nodiscard]] const std::string& foreign() const { return foreign_; }
  // Launches that have ended since the last update(), in order.
  [[nodiscard]] const std::vector<RunSummary>& finished() const { return finished_; }

 private:
  void launch(const LaunchChoice& choice);
  void watch_files();

  std::vector<std::string> program_;  // the program and its global options
  std::optional<Feed> feed_;
  LiveRun run_;
  double speed_ = 0;
  std::string foreign_;
  std::vector<RunSummary> finished_;
  std::optional<LaunchChoice> program_choice_;  // the whole program that was started last
  std::optional<SaveWatch> saves_;              // of its files
};

}  // namespace histolab::viewer
