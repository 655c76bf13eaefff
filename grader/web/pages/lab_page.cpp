#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "grader/web/pages/document.h"
#include "grader/web/pages/pages.html.h"

namespace histolab::web {
namespace {

using grader::Html;
using grader::html;
using grader::piece;

// Links to the lab before and the lab after, and to the quiz.
Html sequence(const Frame& frame, const LabPage& page) {
  Html out;
  const auto link = [&](const LabLink& lab, const char* kind, const char* words) {
    out += html("<li class=\"{}\"><a href=\"/lab/{}\"><small>{}</small> {} {}</a></li>\n", kind,
                lab.name, words, number_of(lab.name), lab.title);
  };
  const std::optional<std::size_t> here = position_of(frame, page.name);
  if (here && *here > 0) link(frame.labs[*here - 1], "previous", "Previous lab");
  if (page.has_quiz)
    out += html(
        "<li class=\"quiz\"><a href=\"/lab/{}/quiz\"><small>About this lab</small> Quiz"
        "</a></li>\n",
        page.name);
  if (here && *here + 1 < frame.labs.size()) link(frame.labs[*here + 1], "next", "Next lab");
  if (out.empty()) return out;
  return html(
      "<nav class=\"sequence\" aria-label=\"Quiz and other labs\">\n<ul>\n{}</ul>\n</nav>\n", out);
}

std::string with_plain_newlines(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  return out;
}

Html hints(std::size_t count) {
  if (count == 0) return Html{"<p>This lab has no hints.</p>\n"};
  return html(piece(embedded::pages_html, "hint controls"), count);
}

}  // namespace

const std::vector<std::string>& ids_of_lab_page() {
  static const std::vector<std::string> ids = [] {
    constexpr std::string_view page = piece(embedded::pages_html, "lab"),
                               hints = piece(embedded::pages_html, "hint controls");
    const std::string text = std::string{page} + std::string{hints};
    static const std::regex id(" id=\"([^\"{}]+)\"");
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), id), end; at != end; ++at)
      found.push_back((*at)[1].str());
    return found;
  }();
  return ids;
}

Html lab_page(const Frame& frame, const LabPage& page) {
  Html cases, scenarios;
  for (const Choice& each : page.cases)
    cases += html("<option value=\"{}\">{}</option>\n", each.value, each.label);
  for (std::size_t i = 0; i < page.scenarios.size(); ++i)
    scenarios += html("<option value=\"{}\">{}: {}</option>\n", i + 1, i + 1, page.scenarios[i]);
  const std::optional<std::size_t> here = position_of(frame, page.name);
  const std::string place =
      here ? fmt::format("Lab {} of {}{}", *here + 1, frame.labs.size(),
                         frame.labs[*here].state == LabState::not_started
                             ? ""
                             : fmt::format(", {}", name(frame.labs[*here].state)))
           : "Lab";
  const std::string text = with_plain_newlines(page.text);
  // Escaping replaces some characters. The text is then not the file's, and has no sum.
  const bool is_exact = grader::shown_text(text) == text;
  const std::string title = page.lesson.title.empty() ? page.name : page.lesson.title;
  const char* const before_solution =
      page.passed ? "You have passed this lab. Compare your kernel with the solution."
                  : "Try the hints first. The solution teaches most after you have passed.";
  const Html main = html(piece(embedded::pages_html, "lab"), page.name, is_exact ? page.sha256 : "",
                         page.passed ? "true" : "false", page.hints, place, title,
                         contents(page.lesson.sections, "Contents of the lesson"), page.lesson.body,
                         sequence(frame, page), page.file, page.name, page.file, text,
                         hints(page.hints), before_solution, cases, scenarios);
  return document(frame, "lab", "/lab/" + page.name,
                  {{"lesson", "Skip to the lesson"}, {"bench", "Skip to your kernel"}}, main);
}

Html hint_fragment(std::size_t number, std::size_t of, const std::string& title, const Html& text) {
  return html(piece(embedded::pages_html, "hint"), number, of, title, text);
}

}  // namespace histolab::web
