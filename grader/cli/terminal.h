// Terminal: keys that are read one by one, a screen that is drawn anew, and other programs that get
// both for a while.
//
// As long as it lives a key is not echoed and needs no Enter; Ctrl-C and Ctrl-Z do what they always
// do. However the process ends (but for SIGKILL), the terminal is as it was. There is one at a
// time.
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

  [[nodiscard]] bool has_keys() const { return has_keys_; }  // the standard input is one
  [[nodiscard]] bool clears() const {
    return clears_;
  }  // the standard output is one, and no dumb one
  [[nodiscard]] std::size_t width() const;
  [[nodiscard]] std::size_t height() const;
  // Readable when the size has changed, or the process was stopped and goes on: draw again.
  [[nodiscard]] int changes() const;
  void take_changes();

  // What was pressed; nullopt: nothing that is a letter. Never waits.
  [[nodiscard]] std::optional<char> key();
  // Says so below what stands there, and waits.
  void wait_for_key(const std::string& text);
  // Error: nobody reads any more.
  [[nodiscard]] Status draw(const std::string& text) const;

  // Gives the terminal to a program until it ends; its exit status, 128 + the signal's number if
  // one ended it. `input`: on its standard input, in place of the keyboard. Error: it could not be
  // started.
  [[nodiscard]] Result<int> run(const std::vector<std::string>& command,
                                const std::optional<std::string>& input = std::nullopt);

 private:
  void listen() const;
  bool has_keys_, clears_;
};

}  // namespace histolab::cli
