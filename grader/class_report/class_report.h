// The class report: what a class handed in and what came of it, as one page for a browser that
// needs no other file and no network.
//
//   ClassSource -> people, overview, review, mistakes, figures (values) -> sections -> the page
//
// Nothing that a student wrote or a kernel printed stays in memory: a first reading of the class
// takes what the sections about the class need, later ones write the students.
//
// A pure function of its input. Everything can be read without JavaScript; with it the class's
// table can be sorted and filtered. All text in ClassResults is a stranger's: it stays text, and
// the page's own Content-Security-Policy lets nothing run but the one script whose hash it names.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

struct Options {
  bool anonymous =
      false;  // for showing in class: no names, no pages of students, no list of what is alike
};

// Writes the page to `sink` piece by piece; the class is read two or three times. Error: what the
// class or `sink` returned.
using Sink = std::function<Status(std::string_view)>;
[[nodiscard]] Status write_html(const batch::ClassSource& source, const Options& options,
                                const Sink& sink);
// Of a class in memory.
[[nodiscard]] std::string to_html(const batch::ClassResults& results, const Options& options = {});

}  // namespace histolab::class_report
