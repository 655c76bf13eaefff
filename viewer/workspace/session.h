// Session: the stream that is on screen, and the buttons for it.
//
// Either launches that the viewer starts (`histolab run --stream --control`), or a stream from
// elsewhere, which can be looked at but not held back. update() is called once a frame and never
// waits.
#pragma once

#include <optional>
#include <string>

#include "viewer/feed/feed.h"
#include "viewer/model/launch_choice.h"
#include "viewer/model/live_run.h"

namespace histolab::viewer {

class Session {
 public:
  explicit Session(std::vector<std::string> program) : program_(std::move(program)) {}

  void update();

  void start(const LaunchChoice& choice);  // at the speed that is set; what ran before ends
  // Starts a launch where none is under way, and holds it after so many steps.
  void step(const LaunchChoice& choice, std::uint64_t steps);
  void pause();
  void resume();
  void stop();
  void clear();                             // ends what runs, and shows nothing of it
  void set_speed(double steps_per_second);  // 0: as fast as it goes
  [[nodiscard]] double speed() const { return speed_; }
  // A stream from elsewhere; `source` is what it is called on screen.
  void show(Feed feed, std::string source);

  [[nodiscard]] const LiveRun& run() const { return run_; }
  [[nodiscard]] bool active() const { return feed_.has_value(); }  // more may come
  [[nodiscard]] bool controllable() const { return foreign_.empty(); }
  [[nodiscard]] const std::string& foreign() const { return foreign_; }
  // Launches that have ended since the last update(), in order.
  [[nodiscard]] const std::vector<RunSummary>& finished() const { return finished_; }

 private:
  void launch(const LaunchChoice& choice);

  std::vector<std::string> program_;  // and its words before the command
  std::optional<Feed> feed_;
  LiveRun run_;
  double speed_ = 0;
  std::string foreign_;
  std::vector<RunSummary> finished_;
};

}  // namespace histolab::viewer
