#include "grader/web/pages/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/web/pages/pages.html.h"

namespace histolab::web {

using grader::Html;
using grader::html;
using grader::piece;

namespace {

constexpr std::string_view current = " aria-current=\"page\"";

Html current_if(bool is_current) { return Html{is_current ? current : ""}; }

Html menu(const Frame& frame, std::string_view address) {
  if (frame.labs.empty()) return {};
  Html items;
  for (const LabLink& lab : frame.labs) {
    const Html state =
        lab.state == LabState::not_started ? Html{} : html(" <small>{}</small>", name(lab.state));
    items += html(piece(embedded::pages_html, "menu lab"), lab.name,
                  current_if(address == "/lab/" + lab.name), number_of(lab.name), lab.title, state);
  }
  const std::optional<std::size_t> here = position_of(frame, frame.lab);
  return html(piece(embedded::pages_html, "menu"),
              here ? fmt::format("Lab {} of {}", *here + 1, frame.labs.size()) : "Labs", items);
}

}  // namespace

std::string_view name(LabState state) {
  switch (state) {
    case LabState::not_started: return "not started";
    case LabState::started: return "started";
    case LabState::passed: return "passed";
  }
  return {};
}

std::optional<std::size_t> position_of(const Frame& frame, std::string_view lab) {
  const auto found = std::ranges::find(frame.labs, lab, &LabLink::name);
  if (found == frame.labs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - frame.labs.begin());
}

std::string_view number_of(std::string_view lab) {
  const std::size_t dash = std::min(lab.find('-'), lab.size());
  const std::string_view number = lab.substr(0, dash);
  const bool is_number = std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? number : std::string_view{};
}

Html contents(const std::vector<Section>& sections, std::string_view label) {
  Html items;
  std::size_t count = 0;
  for (const Section& section : sections) {
    if (section.level != 2 || section.anchor.empty()) continue;
    items += html("<li><a href=\"#{}\">{}</a></li>\n", section.anchor, section.text);
    ++count;
  }
  return count < 2 ? Html{} : html(piece(embedded::pages_html, "contents"), label, items);
}

Html document(const Frame& frame, std::string_view kind, std::string_view address,
              const std::vector<SkipLink>& skip_links, const Html& main) {
  Html skips, links = menu(frame, address);
  for (const SkipLink& each : skip_links)
    skips += html("<a class=\"skip\" href=\"#{}\">{}</a>\n", each.id, each.words);
  if (frame.has_glossary)
    links +=
        html("<li><a href=\"/glossary\"{}>Glossary</a></li>\n", current_if(address == "/glossary"));
  const Html script =
      frame.assets.script.empty()
          ? Html{}
          : html("<script type=\"module\" src=\"{}\"></script>\n", frame.assets.script);
  return html(piece(embedded::pages_html, "document"), frame.title, frame.assets.style, script,
              kind, skips, current_if(address == "/"), links, main);
}

}  // namespace histolab::web
