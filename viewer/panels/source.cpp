// Source: the kernel that runs, with counters in the margin and findings at their lines. Saving the
// file runs and grades it again. For a whole program, the panel shows one of its files.
//
// Settings of a tour's stop: "line" (number) selects a line; "verdict" (true) grades at once.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/files/sha256.h"
#include "grader/words/words.h"
#include "imgui.h"
#include "viewer/feed/file_watch.h"
#include "viewer/feed/job.h"
#include "viewer/model/json_access.h"
#include "viewer/model/source_view.h"
#include "viewer/panels/panel.h"
#include "viewer/panels/source_listing.h"
#include "viewer/ui/launch_controls.h"
#include "viewer/ui/palette.h"
#include "viewer/ui/plots.h"
#include "viewer/workspace/workspace.h"

namespace histolab::viewer {
namespace {

using Clock = std::chrono::steady_clock;

// Draws `text` in at most `most` rows. The tooltip shows the complete text if it does not fit.
void few_rows(ImVec4 color, const std::string& text, int most) {
  const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);
  const char* at = text.c_str();
  const char* const end = at + text.size();
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::BeginGroup();
  for (int row = 1; at < end; ++row) {
    const char* const next =
        std::max(at + 1, ImGui::GetFont()->CalcWordWrapPosition(
                             ImGui::GetFontSize(), at, end,
                             row == most ? width - ImGui::CalcTextSize(" ...").x : width));
    if (row == most && next < end) {
      ImGui::TextUnformatted(fmt::format("{} ...", std::string_view{at, next}).c_str());
      break;
    }
    ImGui::TextUnformatted(at, next);
    for (at = next; at < end && (*at == ' ' || *at == '\n');) ++at;
  }
  ImGui::EndGroup();
  ImGui::PopStyleColor();
  if (at < end && ImGui::BeginItemTooltip()) {
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 36);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
}

// Returns as much of the end of a path as fits.
std::string shortened(const std::string& path, float width) {
  std::string text = path;
  for (std::size_t slash = path.find('/', 1);
       slash != std::string::npos && ImGui::CalcTextSize(text.c_str()).x > width;
       slash = path.find('/', slash + 1))
    text = "..." + path.substr(slash);
  return text;
}

class SourcePanel final : public Panel {
 public:
  Info info() const override {
    return {"source", "Source",
            "the kernel with counters and findings at its lines, graded after each save"};
  }

  void draw(Workspace& workspace) override {
    follow(workspace);
    draw_file(workspace);
    draw_verdict(workspace.verdict);
    draw_counted(workspace);
    if (text_.empty() && view_.elsewhere().empty()) return;
    SourcePlace& selected = workspace.selected;
    int line = selected.line != 0 && selected.file == file_ ? selected.line : 0;
    const int before = line;
    listing_.draw(view_, counted_ ? &*counted_ : nullptr, line);
    if (line != before) selected = {file_, line};
  }

  void prepare(const nlohmann::json& settings, Workspace& workspace) override {
    if (const int line = number<int>(settings, "line"); line > 0) workspace.selected = {"", line};
    grade_on_arrival_ = flag(settings, "verdict");
    listing_.show_selected();
  }

  [[nodiscard]] bool busy() const override {
    return (watch_ && watch_->reading()) || (job_ && job_->running());
  }

 private:
  // --- text and annotations ---

  void follow(Workspace& workspace) {
    const Session& session = workspace.session;
    if (session.controllable() && !workspace.choice.is_program()) {
      file_.clear();
      follow_file(workspace);
    } else {
      watch_.reset();
      job_.reset();
      workspace.verdict.reset();
      problem_.clear();
      lab_.clear();
      const Begin& begin = session.run().begin();
      file_ = begin.file_shown(workspace.selected.file);
      path_ = file_.empty() ? begin.kernel : file_;
      show_text(begin.text_of(file_));
    }
    follow_launch(session.run());
    follow_job(workspace);
    if (std::exchange(stale_, false)) {
      const bool judged = workspace.verdict && workspace.verdict->sha256 == sha256_;
      view_.annotate(counted_ ? &*counted_ : nullptr, judged ? &*workspace.verdict : nullptr);
      listing_.remarks_changed();
    }
  }

  void follow_file(Workspace& workspace) {
    const LaunchChoice& choice = workspace.choice;
    if ((watch_ ? watch_->path() : std::string{}) != choice.kernel || lab_ != choice.lab) {
      watch_.reset();
      if (!choice.kernel.empty()) watch_.emplace(choice.kernel);
      path_ = choice.kernel;
      lab_ = choice.lab;
      job_.reset();
      workspace.verdict.reset();
      problem_.clear();
      show_text({});
    }
    std::optional<FileVersion> version = watch_ ? watch_->take() : std::nullopt;
    if (version && !version->text) problem_ = version->text.error().message;
    if (version && version->text) {
      problem_.clear();
      const bool changed = *version->text != text_;
      show_text(*version->text);
      if (changed && !version->first) {
        if (!workspace.presenting) workspace.session.start(choice);
        grade(workspace, version->saved_at, true);
      }
    }
    if (grade_on_arrival_ && !text_.empty()) grade(workspace, Clock::now(), false);
  }

  void show_text(const std::string& text) {
    if (text == text_ && file_ == shown_file_) return;
    text_ = text;
    shown_file_ = file_;
    sha256_ = grader::sha256(text);
    view_.set_text(text);
    counted_.reset();
    launch_ = 0;
    listing_.text_changed();
    stale_ = true;
  }

  // Shows the last launch of exactly this text, also while the next one runs.
  void follow_launch(const LiveRun& run) {
    if (launch_ == run.launches() || !run.result()) return;
    launch_ = run.launches();
    if (run.begin().text_of(file_) == text_) {
      counted_ = run.result()->in_file(file_);
      stale_ = true;
    }
  }

  void grade(const Workspace& workspace, Clock::time_point since, bool saved) {
    grade_on_arrival_ = false;
    since_ = since;
    saved_ = saved;
    problem_.clear();
    job_.emplace(workspace.places.command({"grade", workspace.choice.lab, "--submission",
                                           workspace.choice.kernel, "--quick", "--json", "-"}));
  }

  void follow_job(Workspace& workspace) {
    if (!job_) return;
    std::optional<Result<nlohmann::json>> answer = job_->take();
    if (!answer) return;
    job_.reset();
    Result<Verdict> verdict = *answer ? verdict_in(**answer) : (*answer).error();
    if (!verdict) {
      problem_ = verdict.error().message;
      return;
    }
    workspace.verdict = std::move(*verdict);
    took_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - since_).count();
    stale_ = true;
  }

  // --- above the listing ---

  void draw_file(Workspace& workspace) {
    if (shows_program(workspace)) return program_controls(workspace, true);
    if (!workspace.session.controllable()) {
      few_rows(palette().note,
               fmt::format("{}, with its source: {}", workspace.session.foreign(),
                           path_.empty() ? "none yet" : path_),
               2);
      return;
    }
    const ImGuiStyle& style = ImGui::GetStyle();
    const float buttons = ImGui::CalcTextSize("GradeCopy path").x + 4 * style.FramePadding.x +
                          2 * style.ItemSpacing.x;
    if (ImGui::Button("Grade")) grade(workspace, Clock::now(), false);
    ImGui::SetItemTooltip("histolab grade %s --submission %s --quick", workspace.choice.lab.c_str(),
                          path_.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Copy path")) {
      std::error_code failure;
      const std::filesystem::path whole = std::filesystem::absolute(path_, failure);
      ImGui::SetClipboardText(failure ? path_.c_str() : whole.c_str());
    }
    ImGui::SetItemTooltip("Open the file in an editor: each save runs and grades it here.");
    ImGui::SameLine();
    ImGui::TextDisabled(
        "%s", shortened(path_, ImGui::GetContentRegionAvail().x + ImGui::GetCursorPosX() - buttons)
                  .c_str());
    ImGui::SetItemTooltip("%s", path_.c_str());
    if (!problem_.empty()) few_rows(palette().note, problem_, 3);
  }

  void draw_verdict(const std::optional<Verdict>& verdict) const {
    const int most = ImGui::GetContentRegionAvail().y > ImGui::GetFontSize() * 28 ? 4 : 2;
    if (job_) {
      ImGui::TextColored(palette().quiet, "grading ...");
      return;
    }
    if (!verdict) return;
    const ImVec4 color = verdict->passed() ? palette().good
                         : verdict->score  ? palette().lost
                                           : palette().note;
    ImGui::PushFont(nullptr, ImGui::GetStyle().FontSizeBase * 1.2f);
    ImGui::TextColored(color, "%s", verdict->headline().c_str());
    ImGui::PopFont();
    same_line_if_room(ImGui::GetFontSize() * 14);
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s%.0f ms%s%s", saved_ ? "" : "in ", took_ms_,
                        saved_ ? " after the save" : "",
                        verdict->quick ? ", without some cases and times" : "");
    if (verdict->sha256 != sha256_)
      wrapped_text(palette().note, "This verdict is for another version of the text.");
    if (!verdict->message.empty()) {
      few_rows(color, verdict->message, most);
    } else if (const VerdictCheck* const check = verdict->first_failure();
               check != nullptr && !verdict->passed()) {
      few_rows(ImGui::GetStyle().Colors[ImGuiCol_Text],
               fmt::format("{}: {}", check->title, check->seen.sentence()), most);
      if (!check->hint.empty())
        few_rows(palette().note, fmt::format("Hint: {}", check->hint), most);
    }
  }

  static std::string about_launch(const RunSummary& launch) {
    std::string text = fmt::format("{}: {} of {} threads", launch.title,
                                   grader::counted(launch.grid, "block"), launch.block);
    if (launch.modelled)
      text += fmt::format("; modelled time {} on {}", grader::duration(launch.modelled->median_ms),
                          launch.modelled->profile);
    if (launch.ending != "completed")
      text += fmt::format("; {}: {}", launch.ending, launch.ending_detail);
    if (launch.signal >= 0) text += fmt::format("; signal {} ended the program", launch.signal);
    if (launch.exit_status > 0)
      text += fmt::format("; the program ended with status {}", launch.exit_status);
    return text;
  }

  void draw_counted(const Workspace& workspace) const {
    if (text_.empty()) {
      if (problem_.empty() && !shows_program(workspace))
        wrapped_text(palette().quiet, "No kernel is chosen yet.");
    } else if (!counted_) {
      wrapped_text(palette().quiet, workspace.session.active()
                                        ? "The margin shows counters after the launch."
                                        : "Press Run to see counters for each line.");
    } else if (!counted_->compiled()) {
      if (!workspace.verdict)
        wrapped_text(palette().lost, "It does not compile, so nothing was counted.");
    } else if (!counted_->program.empty()) {
      few_rows(palette().quiet, about_launch(*counted_), 1);
    } else {
      few_rows(
          palette().quiet,
          fmt::format("counted: {}, {} elements, {} of {} threads; {}", counted_->dataset,
                      grader::grouped(counted_->length), grader::counted(counted_->grid, "block"),
                      counted_->block, counted_->device_name),
          1);
    }
  }

  std::optional<FileWatch> watch_;
  std::optional<Job> job_;
  std::string path_, lab_, text_, sha256_;
  std::string file_, shown_file_;  // of a whole program; empty for a lab's kernel
  std::string problem_;            // the reason why text or verdict is missing
  SourceView view_;
  std::optional<RunSummary> counted_;
  std::uint64_t launch_ = 0;  // the launch whose result was last looked at
  Clock::time_point since_;
  double took_ms_ = 0;
  bool saved_ = false, grade_on_arrival_ = false;
  bool stale_ = false;  // the view needs new annotations
  SourceListing listing_;
};

}  // namespace

std::unique_ptr<Panel> make_source_panel() { return std::make_unique<SourcePanel>(); }

}  // namespace histolab::viewer
