// Places: where the viewer finds the program, the data and the fonts, in a build tree and in an
// installed one.
#pragma once

#include <string>
#include <vector>

namespace histolab::viewer {

struct Places {
  std::string program;       // histolab
  std::string labs;          // a folder; empty: the program's own
  std::string measurements;  // the folder of docs/measurements
  std::string profiles;      // the folder of what GPUs were measured to do
  std::string tour;          // the file of the tour's stops
  std::string fonts;         // a folder
  std::string config;        // of this user: settings and layout; empty where there is no home

  // The program with these words after its name, told which labs.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;
};

// `executable` is the viewer's own file.
[[nodiscard]] Places find_places(const std::string& executable);

}  // namespace histolab::viewer
