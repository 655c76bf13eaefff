// FairOrder: which of the waiting gradings runs next. It has no threads and no clock.
//
// Quick steps come before complete ones. Among equals, the student whose last step began longest
// ago comes first, so that a student who saves all the time delays others by one step at most. Each
// student has one running step at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace histolab::grader {

class FairOrder {
 public:
  using Number = std::uint64_t;  // of a grading, chosen by the caller

  void add(Number number, const std::string& student, bool quick);
  // Removes a waiting step. Does nothing if it does not wait.
  void remove(Number number);
  // Takes the step that runs next out of the waiting ones. Returns nullopt if none may run now.
  [[nodiscard]] std::optional<Number> take();
  // The step that take() returned has ended.
  void finished(Number number);
  [[nodiscard]] std::size_t running() const { return running_.size(); }
  // How many waiting steps come before this one, as things stand.
  [[nodiscard]] std::size_t ahead_of(Number number) const;

 private:
  struct Waiting {
    Number number = 0;
    std::string student;
    bool quick = false;
  };
  [[nodiscard]] bool is_busy(const std::string& student) const;
  [[nodiscard]] std::uint64_t last_turn_of(const std::string& student) const;
  [[nodiscard]] bool comes_before(const Waiting& a, const Waiting& b) const;

  std::vector<Waiting> waiting_;  // in the order of arrival
  std::map<Number, std::string> running_;
  std::map<std::string, std::uint64_t> turns_;  // when the student's last step began, counted
  std::uint64_t turn_ = 0;
};

}  // namespace histolab::grader
