// The class report: what a class handed in and what came of it, as one page for a browser that needs no other file and no network.
//
//   ClassResults -> people, overview, review, mistakes, figures (values) -> sections -> the page
//
// A pure function of its input. Everything can be read without JavaScript; with it the class's table can be sorted and filtered. All text in
// ClassResults is a stranger's: it stays text, and the page's own Content-Security-Policy lets nothing run but the one script whose hash it names.
#pragma once

#include <string>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

struct Options {
  bool anonymous = false;  // for showing in class: no names, no pages of students, no list of what is alike
};

[[nodiscard]] std::string to_html(const batch::ClassResults& results, const Options& options = {});

}  // namespace histolab::class_report
