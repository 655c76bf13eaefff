// class_report_sample small|anonymous|wide|large [STUDENTS LINES]: writes the page of a made-up
// class to standard output, for the browser tests.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "grader/class_report/class_report.h"
#include "grader/class_report/testing/sample_class.h"

int main(int argc, char** argv) {
  using namespace histolab::class_report;
  const std::string which = argc > 1 ? argv[1] : "";
  if (which != "small" && which != "anonymous" && which != "wide" && which != "large")
    return std::fputs("usage: class_report_sample small|anonymous|wide|large [STUDENTS LINES]\n",
                      stderr),
           2;
  const auto number = [&](int at, std::size_t otherwise) {
    return argc > at ? std::strtoul(argv[at], nullptr, 10) : otherwise;
  };
  const histolab::batch::ClassResults results =
      which == "large"  ? testing::large_class(number(2, 300), number(3, 60))
      : which == "wide" ? testing::wide_class()
                        : testing::small_class();
  const std::string page = to_html(results, {.anonymous = which == "anonymous"});
  return std::fwrite(page.data(), 1, page.size(), stdout) == page.size() && std::fflush(stdout) == 0
             ? 0
             : 2;
}
