// Places: where the viewer finds the program, the data and the fonts, in a build tree and in an installed one.
#pragma once

#include <string>

namespace histolab::viewer {

struct Places {
  std::string program;       // histolab
  std::string measurements;  // the folder of docs/measurements
  std::string profiles;      // the folder of what GPUs were measured to do
  std::string tour;          // the file of the tour's stops
  std::string fonts;         // a folder
  std::string config;        // of this user: settings and layout; empty where there is no home
};

// `executable` is the viewer's own file.
[[nodiscard]] Places find_places(const std::string& executable);

}  // namespace histolab::viewer
