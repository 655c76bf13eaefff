// Places: paths of the program, the data and the fonts, in a build tree or an installation.
#pragma once

#include <string>
#include <vector>

namespace histolab::viewer {

struct Places {
  std::string program;       // histolab
  std::string labs;          // a folder; the program's own if empty
  std::string measurements;  // the folder of docs/measurements
  std::string profiles;      // the folder of the device profiles
  std::string tour;          // tour.json
  std::string fonts;         // the folder of the fonts
  std::string config;        // the user's settings and layout; empty without a home folder

  // The program with these arguments and the option for `labs`.
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& words) const;
};

// `executable` is the viewer's own file.
[[nodiscard]] Places find_places(const std::string& executable);

}  // namespace histolab::viewer
