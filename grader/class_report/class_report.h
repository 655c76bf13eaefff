// The class report: a class's submissions and their results, as one page for a browser. The page
// needs no other file and no network.
//
//   ClassSource -> people, overview, review, mistakes, figures (values) -> sections -> the page
//
// Students' code and kernels' output do not stay in memory. A first pass over the class collects
// the data of the sections about the class, later passes write the students.
//
// A pure function of its input. The whole page is readable without JavaScript. With it, readers can
// sort and filter the class table. All text in ClassResults is untrusted and stays text. The page's
// Content-Security-Policy allows only the script whose hash it names.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "grader/batch/class_results.h"

namespace histolab::class_report {

struct Options {
  bool anonymous = false;  // to show in class: no names, no students' sections, no similar pairs
};

// Writes the page to `sink` piece by piece, and reads the class two or three times. Returns the
// error of the class or of `sink`.
using Sink = std::function<Status(std::string_view)>;
[[nodiscard]] Status write_html(const batch::ClassSource& source, const Options& options,
                                const Sink& sink);
// The same for a class in memory.
[[nodiscard]] std::string to_html(const batch::ClassResults& results, const Options& options = {});

}  // namespace histolab::class_report
