// Terminal: single key presses, a screen that is redrawn, and both lent to other programs for a
// while.
//
// During its lifetime keys are not echoed and need no Enter. Ctrl-C and Ctrl-Z work as usual.
// However the process ends, the terminal is restored (except after SIGKILL). Only one instance may
// exist at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::cli {

class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Whether the standard input is a terminal.
  [[nodiscard]] bool has_keys() const { return has_keys_; }
  // Whether the standard output is a terminal that can be cleared (not a dumb one).
  [[nodiscard]] bool clears() const { return clears_; }
  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::size_t height() const;
  // A descriptor that is readable when the screen must be redrawn: the size changed, or the process
  // was continued after a stop.
  [[nodiscard]] int changes() const;
  void take_changes();

  // The pressed key. Returns nullopt without one, or if it is not a letter. Never waits.
  [[nodiscard]] std::optional<char> key();
  // Prints the text below the screen and waits for a key.
  void wait_for_key(const std::string& text);
  // Returns an Error if the reader is gone.
  [[nodiscard]] Status draw(const std::string& text) const;

  // Lends the terminal to a program until it ends. Returns its exit status, or 128 + the number of
  // the signal that ended it. `input` is its standard input, instead of the keyboard. Returns an
  // Error if it could not be started.
  [[nodiscard]] Result<int> run(const std::vector<std::string>& command,
                                const std::optional<std::string>& input = std::nullopt);

 private:
  void listen() const;
  bool has_keys_, clears_;
};

}  // namespace histolab::cli
