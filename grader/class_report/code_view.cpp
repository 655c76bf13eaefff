#include "grader/class_report/code_view.h"

#include <fmt/format.h>

#include "grader/html/html.h"
#include "grader/words/words.h"

namespace histolab::class_report {

using grader::Html;

void CodeView::end_run() {
  if (in_run_) out_ += Html{"</pre>"};
  in_run_ = false;
}

void CodeView::line(int number, std::string_view code, std::string_view look) {
  const Html text{grader::escaped_content(code)};
  const bool alone = !look.empty() || grader::columns(code) > columns_;
  if (in_run_ && (alone || number != next_)) end_run();
  if (alone)
    out_ += grader::html("<pre class=\"f{} l{}{}\">{}</pre>", number, look.empty() ? "" : " ", look,
                         text);
  else if (in_run_)
    out_ += grader::html("\n{}", text);
  else  // HTML drops a first newline
    out_ += grader::html("<pre class=f{}>{}{}", number, text.empty() ? "\n" : "", text);
  in_run_ = !alone;
  next_ = number + 1;
}

void CodeView::note(std::string_view look, std::string_view text) {
  end_run();
  out_ += grader::html("<p class={}>{}</p>", look, Html{grader::escaped_content(text)});
}

Html CodeView::html() && {
  end_run();
  return out_.empty() ? out_ : grader::html("<div class=src>{}</div>\n", out_);
}

std::string code_view_style() {
  std::string numbers, places;
  for (int number = 1; number <= CodeView::most_lines; ++number) {
    numbers += fmt::format("{}\\A ", number);
    places += fmt::format(".f{0}{{--f:{0}}}", number);
  }
  return fmt::format(".src pre::before {{ content: \"{}\" / \"\"; }}\n{}\n", numbers, places);
}

}  // namespace histolab::class_report
