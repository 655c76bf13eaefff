#include "viewer/panels/race_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "grader/race/race_words.h"
#include "grader/words/words.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/palette.h"

namespace histolab::viewer {
namespace {

// One colour per thread, different from the colour of lost updates.
ImVec4 thread_color(std::uint32_t thread) {
  static constexpr std::array<int, RaceScript::most_threads> series{0, 1, 2, 4};
  return series_color(series[thread % series.size()]);
}

std::string memory(const std::optional<std::uint64_t>& value) { return shown(value, "unset"); }

// A card of text lines, cut off at its edge.
class Card {
 public:
  Card(ImVec2 from, ImVec2 size, ImVec4 border, float thickness, ImVec4 fill)
      : from_(from), size_(size), at_(from.y + em(0.45f)), list_(ImGui::GetWindowDrawList()) {
    const ImVec2 to{from.x + size.x, from.y + size.y};
    list_->AddRectFilled(from, to, ImGui::GetColorU32(fill), em(0.3f));
    list_->AddRect(from, to, ImGui::GetColorU32(border), em(0.3f), 0, thickness);
    list_->PushClipRect(from, to, true);
  }
  ~Card() { list_->PopClipRect(); }
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  [[nodiscard]] float inner_width() const { return size_.x - 2 * margin(); }
  [[nodiscard]] float left() const { return from_.y + size_.y - at_; }
  void skip(float height) { at_ += height; }
  void go_to(float from_top) { at_ = from_.y + from_top; }
  // Text is left-aligned, centred or right-aligned, and `scale` times as large as other text. It is
  // smaller if it does not fit.
  enum class Side { left, centre, right };
  void write(const std::string& text, ImVec4 color, float scale = 1, Side side = Side::left,
             bool stay = false) {
    float size = ImGui::GetFontSize() * scale;
    ImFont* const font = ImGui::GetFont();
    float width = font->CalcTextSizeA(size, 1e6f, 0, text.c_str()).x;
    if (width > inner_width() && scale > 1) {
      const float smaller = std::max(ImGui::GetFontSize(), size * inner_width() / width);
      width *= smaller / size;
      size = smaller;
    }
    const float slack = std::max(0.0f, inner_width() - width);
    float x = from_.x + margin();
    if (side == Side::centre) x += slack / 2;
    if (side == Side::right) x += slack;
    list_->AddText(font, size, {x, at_}, ImGui::GetColorU32(color), text.c_str());
    if (!stay) at_ += size * 1.22f;
  }
  void underlay(ImVec4 color) {
    list_->AddRectFilled({from_.x + margin() * 0.5f, at_ - em(0.1f)},
                         {from_.x + size_.x - margin() * 0.5f, at_ + em(1.15f)},
                         ImGui::GetColorU32(color), em(0.2f));
  }

 private:
  [[nodiscard]] static float margin() { return em(0.6f); }
  ImVec2 from_, size_;
  float at_;
  ImDrawList* list_;
};

// Returns the step as a line of a program, or only its operation if the line is too long.
std::string program_line(const RaceStep& step, float width) {
  std::string text = step.operation;
  if (step.operation == "load") text = fmt::format("r = {}", step.place);
  if (step.operation == "add") text = "r = r + 1";
  if (step.operation == "store") text = fmt::format("{} = r", step.place);
  if (step.operation.starts_with("atomic"))
    text = fmt::format("{}(&{})", step.operation, step.place);
  return ImGui::CalcTextSize(text.c_str()).x <= width ? text : step.operation;
}

// The range of a thread's steps on its card. For increments it is the whole current increment, else
// the last step and the next two.
struct StepWindow {
  std::size_t begin = 0, end = 0;
};
StepWindow window_of(const RaceScript& script, std::uint32_t thread) {
  const std::size_t made = script.made_by(thread), all = script.steps_of(thread).size();
  if (const auto& shape = script.shape()) {
    const std::size_t cycle = reference::steps_of_increment(shape->atomic).size();
    const std::size_t begin = std::min(made, all - 1) / cycle * cycle;
    return {begin, begin + cycle};
  }
  const std::size_t begin = made == 0 ? 0 : made - 1;
  return {begin, std::min(all, begin + 3)};
}

// Returns "1 of 2": the number of the current increment.
std::string progress(const RaceScript& script, std::uint32_t thread) {
  const std::size_t made = script.made_by(thread);
  if (made == script.steps_of(thread).size()) return "done";
  const auto& shape = script.shape();
  if (!shape || shape->increments == 1) return {};
  return fmt::format("{} of {}", made / reference::steps_of_increment(shape->atomic).size(),
                     shape->increments);
}

void draw_program(Card& card, const RaceScript& script, std::uint32_t thread) {
  const CodeFont code;
  const std::vector<std::size_t>& own = script.steps_of(thread);
  const std::size_t made = script.made_by(thread);
  if (own.empty()) card.write("no steps", palette().quiet);
  const StepWindow window = window_of(script, thread);
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const RaceStep& step = script.steps()[own[i]];
    const bool next = i == made && script.can_step(thread);
    if (next) card.underlay(faded(thread_color(thread), 0.28f));
    const ImVec4 color = i < made ? faded(palette().quiet, 0.7f)
                         : next   ? ImGui::GetStyle().Colors[ImGuiCol_Text]
                                  : palette().quiet;
    card.write(program_line(step, card.inner_width()), color);
    card.skip(em(0.12f));
  }
}

void draw_thread(RaceScript& script, std::uint32_t thread, ImVec2 size, bool compact) {
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const bool can = script.can_step(thread);
  ImGui::BeginDisabled(!can);
  const bool clicked = ImGui::InvisibleButton(grader::thread_name(thread).c_str(), size);
  ImGui::EndDisabled();
  const std::vector<std::size_t>& own = script.steps_of(thread);
  const std::size_t made = script.made_by(thread);
  if (can) ImGui::SetItemTooltip("%s", about(script.steps()[own[made]]).c_str());
  const bool just_stepped = script.last() != nullptr && script.last()->thread == thread;
  const ImVec4 text = ImGui::GetStyle().Colors[ImGuiCol_Text], color = thread_color(thread);
  ImGuiCol background = ImGuiCol_FrameBg;
  if (can && ImGui::IsItemHovered()) background = ImGuiCol_FrameBgHovered;
  if (can && ImGui::IsItemActive()) background = ImGuiCol_FrameBgActive;
  const ImVec4 fill = ImGui::GetStyle().Colors[background];
  {
    Card card{from, size, just_stepped ? color : ImGui::GetStyle().Colors[ImGuiCol_Border],
              just_stepped ? em(0.15f) : 1, fill};
    const std::string in_register = shown(script.register_of(thread), "-");
    if (compact)
      card.write(fmt::format("register {}", in_register), text, 1, Card::Side::right, true);
    else
      card.write(progress(script, thread), palette().quiet, 1, Card::Side::right, true);
    card.write(grader::thread_name(thread), color, 1.25f);
    draw_program(card, script, thread);
    if (!compact) {
      card.go_to(size.y - em(2.75f));
      card.write("register", palette().quiet, 1, Card::Side::left, true);
      card.write(in_register, text, 1.9f, Card::Side::right);
    }
  }
  if (clicked) script.step(thread);
}

// "T1 stored 1".
std::string happened(const RaceStep& step) {
  const std::string who = grader::thread_name(step.thread);
  if (step.operation == "load") return fmt::format("{} loaded {}", who, memory(step.memory_before));
  if (step.operation == "add") return fmt::format("{} added", who);
  if (step.operation == "store") return fmt::format("{} stored {}", who, memory(step.memory_after));
  return fmt::format("{}: {} -> {}", who, memory(step.memory_before), memory(step.memory_after));
}

void draw_memory(const RaceScript& script, ImVec2 size) {
  const RaceScript::Cell* const cell = script.touched_last();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  if (cell == nullptr) return;
  const bool touched = script.last() != nullptr && script.last()->operation != "load" &&
                       script.last()->operation != "add";
  const ImVec4 text = ImGui::GetStyle().Colors[ImGuiCol_Text];
  Card card{
      from, size,
      touched ? thread_color(script.last()->thread) : ImGui::GetStyle().Colors[ImGuiCol_Border],
      touched ? em(0.15f) : 1, palette().grid};
  const bool flat = size.y < em(6);
  if (flat) {
    card.write(cell->place, palette().quiet, 1.1f, Card::Side::left, true);
    card.write(memory(cell->value), text, 2.2f, Card::Side::centre, true);
    if (script.last() != nullptr)
      card.write(happened(*script.last()), thread_color(script.last()->thread), 1,
                 Card::Side::right);
    else
      card.skip(em(1.2f));
    if (script.missing() > 0)
      card.write(fmt::format("{} missing", script.missing()), palette().lost, 1, Card::Side::right);
    return;
  }
  card.write(fmt::format("memory, {}", cell->place), palette().quiet, 1, Card::Side::centre);
  card.write(memory(cell->value), text, 3.4f, Card::Side::centre);
  if (script.last() != nullptr)
    card.write(happened(*script.last()), thread_color(script.last()->thread), 1.15f,
               Card::Side::centre);
  else
    card.skip(em(1.4f));
  if (script.missing() > 0)
    card.write(grader::counted(script.missing(), "update missing", "updates missing"),
               palette().lost, 1.1f, Card::Side::centre);
  // Other addresses of the kernel, as far as there is room.
  for (const RaceScript::Cell& other : script.cells())
    if (&other != cell && card.left() > em(1.5f))
      card.write(fmt::format("{} = {}", other.place, memory(other.value)), palette().quiet, 1,
                 Card::Side::centre);
}

struct Row {
  const RaceScript& script;
  std::size_t number;
  [[nodiscard]] const RaceStep& step() const { return script.steps()[number]; }
  [[nodiscard]] bool made() const { return number < script.made(); }
};

void draw_remarks(const Row& row) {
  const RaceStep& step = row.step();
  const bool lost = step.lost_at != 0 && step.lost_at < row.script.made();
  if (step.remark.empty() && !lost) return;
  ImGui::PushStyleColor(ImGuiCol_Text, palette().lost);
  if (!step.remark.empty()) ImGui::TextWrapped("%s", step.remark.c_str());
  if (lost) ImGui::TextWrapped("lost at time %zu", step.lost_at + 1);
  ImGui::PopStyleColor();
}

// Returns whether it was clicked.
bool draw_row(const Row& row) {
  const RaceStep& step = row.step();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec4 faint = faded(palette().quiet, 0.65f);
  ImGui::PushStyleColor(ImGuiCol_Text,
                        row.made() ? ImGui::GetStyle().Colors[ImGuiCol_Text] : faint);
  const bool clicked =
      ImGui::Selectable(fmt::format("{}", row.number + 1).c_str(),
                        row.number + 1 == row.script.made(), ImGuiSelectableFlags_SpanAllColumns);
  ImGui::PopStyleColor();
  ImGui::TableSetColumnIndex(static_cast<int>(step.thread) + 1);
  ImGui::TextColored(row.made() ? thread_color(step.thread) : faint, "%s", step.operation.c_str());
  if (!row.made()) return clicked;  // leave the prediction to the audience
  int column = static_cast<int>(row.script.threads()) + 1;
  if (!row.script.kernel().empty()) {
    ImGui::TableSetColumnIndex(column++);
    if (step.line > 0) ImGui::TextDisabled("%d", step.line);
  }
  ImGui::TableSetColumnIndex(column++);
  ImGui::TextUnformatted(shown(step.register_after, "-").c_str());
  ImGui::TableSetColumnIndex(column++);
  const std::string change =
      step.memory_before == step.memory_after
          ? memory(step.memory_after)
          : fmt::format("{} -> {}", memory(step.memory_before), memory(step.memory_after));
  ImGui::TextUnformatted(
      (row.script.any_order() ? change : fmt::format("{}: {}", step.place, change)).c_str());
  ImGui::TableSetColumnIndex(column);
  draw_remarks(row);
  return clicked;
}

}  // namespace

void draw_threads(RaceScript& script) {
  const std::uint32_t threads = script.threads();
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const float count = static_cast<float>(threads);
  const bool atomic = script.shape() && script.shape()->atomic;
  const bool beside = room >= count * em(9.5f) + em(11) + count * gap;
  const float height = beside ? em(atomic ? 6.3f : 8.6f) : em(atomic ? 3.4f : 5.9f);
  const float columns = beside ? count + 1 : count;
  const float width = std::clamp((room - (columns - 1) * gap) / columns, 1.0f, em(24));
  const float indent = std::max(0.0f, (room - columns * width - (columns - 1) * gap) / 2);
  if (!beside) draw_memory(script, {std::max(1.0f, room), em(3)});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    if (thread > 0) ImGui::SameLine();
    if (beside && thread == (threads + 1) / 2) {
      draw_memory(script, {width, height});
      ImGui::SameLine();
    }
    draw_thread(script, thread, {width, height}, !beside);
  }
}

void draw_steps(RaceScript& script, ImVec2 size, bool follow) {
  const bool kernel = !script.kernel().empty();
  const int columns = static_cast<int>(script.threads()) + (kernel ? 5 : 4);
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                    ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("steps", columns, flags, size)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("time");
  for (std::uint32_t thread = 0; thread < script.threads(); ++thread)
    ImGui::TableSetupColumn(
        grader::thread_name(thread).c_str(), ImGuiTableColumnFlags_WidthFixed,
        ImGui::CalcTextSize(script.shape() && script.shape()->atomic ? "atomicAdd" : "store").x);
  if (kernel) ImGui::TableSetupColumn("line");
  ImGui::TableSetupColumn("register");
  ImGui::TableSetupColumn(script.any_order() && !script.cells().empty()
                              ? script.cells().front().place.c_str()
                              : "memory");
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  std::optional<std::size_t> wanted;
  const int rows = static_cast<int>(script.steps().size());
  const auto draw_rows = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const auto number = static_cast<std::size_t>(i);
      if (draw_row({script, number})) wanted = number + 1;
      if (follow && number + 1 == script.made()) ImGui::SetScrollHereY(0.7f);
    }
  };
  // With few rows, heights may differ because remarks can take two lines.
  if (rows <= 64) {
    draw_rows(0, rows);
  } else {
    ImGuiListClipper clipper;
    clipper.Begin(rows);
    if (script.made() > 0) clipper.IncludeItemByIndex(static_cast<int>(script.made()) - 1);
    while (clipper.Step()) draw_rows(clipper.DisplayStart, clipper.DisplayEnd);
  }
  ImGui::EndTable();
  if (wanted) script.go_to(*wanted);
}

}  // namespace histolab::viewer
