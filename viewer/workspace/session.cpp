#include "viewer/workspace/session.h"

#include <fmt/format.h>

#include <utility>

namespace histolab::viewer {

void Session::update() {
  finished_.clear();
  if (saves_ && saves_->take()) start(LaunchChoice{*program_choice_});
  if (!feed_) return;
  for (const Event& event : feed_->take()) {
    run_.apply(event);
    if (const auto* finished = std::get_if<Finished>(&event)) finished_.push_back(finished->report);
    if (saves_ && std::holds_alternative<Begin>(event)) watch_files();
  }
  if (!feed_->ended()) return;
  feed_.reset();
  run_.stream_ended();
}

void Session::launch(const LaunchChoice& choice) {
  foreign_.clear();
  std::vector<std::string> command = program_;
  const std::vector<std::string> words = stream_command(choice);
  command.insert(command.end(), words.begin(), words.end());
  feed_ = Feed::of_command(std::move(command));
  program_choice_.reset();
  if (!choice.is_program()) return saves_.reset();
  program_choice_ = choice;
  if (!saves_) saves_.emplace();
  watch_files();
}

void Session::watch_files() {
  std::vector<std::string> files = program_choice_->program.files;
  const std::vector<std::string>& included = run_.begin().files;
  files.insert(files.end(), included.begin(), included.end());
  saves_->set_files(files);
}

void Session::start(const LaunchChoice& choice) {
  launch(choice);
  feed_->send(fmt::format("speed {}", speed_));
}

void Session::step(const LaunchChoice& choice, std::uint64_t steps) {
  if (choice.is_program()) return active() ? void() : start(choice);
  if (!active() || !controllable()) launch(choice);
  feed_->send(fmt::format("step {}", steps));
}

void Session::pause() {
  if (feed_) feed_->send("pause");
}

void Session::resume() {
  if (feed_) feed_->send(fmt::format("speed {}", speed_));
}

void Session::stop() {
  feed_.reset();
  run_.stream_ended();
}

void Session::clear() {
  feed_.reset();
  saves_.reset();
  run_ = {};
}

void Session::set_speed(double steps_per_second) {
  speed_ = steps_per_second;
  if (feed_ && run_.phase() != LiveRun::Phase::paused) feed_->send(fmt::format("speed {}", speed_));
}

void Session::show(Feed feed, std::string source) {
  feed_ = std::move(feed);
  saves_.reset();
  foreign_ = std::move(source);
}

}  // namespace histolab::viewer
