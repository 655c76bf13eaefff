#include "grader/batch/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "grader/batch/keys.h"
#include "grader/batch/members.h"
#include "grader/batch/schemes.h"
#include "grader/files/read_file.h"
#include "grader/lab/uploaded.h"
#include "grader/words/words.h"

namespace histolab::batch {
namespace {

constexpr std::size_t longest_problem = 1000;
constexpr std::size_t most_near_names = 100;

std::string last_of(const std::string& name) { return name.substr(name.rfind('/') + 1); }
std::ptrdiff_t depth_of(const std::string& name) {
  return std::count(name.begin(), name.end(), '/');
}

// A match of a file with a lab: the number of the resubmission, and the distance of the names.
struct Claim {
  std::uint64_t again = 0;
  int far = 0;
};

// Matches the exact name, or the name with the number of a resubmission.
std::optional<Claim> exact(const Piece& piece, const std::string& lab, const std::string& in_folder,
                           const std::string& ending) {
  const std::string nested = lab + in_folder;
  if (piece.name == nested || piece.name.ends_with("/" + nested)) return Claim{};
  const auto again = resubmission_number(last_of(piece.name), lab + ending);
  return again ? std::optional{Claim{*again}} : std::nullopt;
}
std::optional<Claim> exact_kernel(const Piece& piece, const std::string& lab) {
  return exact(piece, lab, "/stub.cu", ".cu");
}
std::optional<Claim> exact_sheet(const Piece& piece, const std::string& lab) {
  return exact(piece, lab, "/quiz.json", ".quiz.json");
}

// A backup by an editor or `histolab reset`: "01-race.cu~", "01-race.cu.bak".
bool is_backup(const std::string& name) {
  return std::ranges::any_of(std::array{"~", ".bak", ".old", ".orig", ".swp"},
                             [&](const char* ending) { return name.ends_with(ending); });
}

struct Candidate {
  const Piece* piece = nullptr;
  Claim claim;
  std::optional<std::int64_t> at;  // submission time

  // Order by the platform: later submissions first. The number in the name counts only if Canvas
  // added it to the submitted file itself.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> by_platform() const {
    const bool is_from_canvas = piece->submission != 0 && depth_of(piece->name) == 0;
    return {-static_cast<std::int64_t>(piece->submission),
            is_from_canvas ? -static_cast<std::int64_t>(claim.again) : 0};
  }
  // A total order: the platform's order, then nearer names, then files nearer to the top.
  [[nodiscard]] auto rank() const {
    return std::tuple{by_platform(),         is_backup(piece->name),
                      -at.value_or(0),       claim.far,
                      depth_of(piece->name), -static_cast<std::int64_t>(claim.again)};
  }
  [[nodiscard]] bool has_same_bytes(const Candidate& other) const {
    return piece->file->read && other.piece->file->read &&
           piece->file->bytes == other.piece->file->bytes;
  }
  // True if the platform, a backup's name or the times decide for this one.
  [[nodiscard]] bool counts_before(const Candidate& other) const {
    return by_platform() < other.by_platform() ||
           is_backup(piece->name) < is_backup(other.piece->name) ||
           (at && other.at && *at > *other.at);
  }
};

class HandInReader {
 public:
  HandInReader(const Member& member, const IntakeOptions& options)
      : member_(member), options_(options) {}

  // The labs in the file names.
  std::set<std::string> labs_named() {
    find_near_names();
    std::set<std::string> named;
    for (const Piece& piece : member_.pieces)
      for (const std::string& lab : options_.labs)
        if (as_kernel(piece, lab) || as_sheet(piece, lab)) named.insert(lab);
    return named;
  }

  // Files for other labs, by lab.
  std::map<std::string, std::vector<std::string>> files_of_other_labs() {
    find_near_names();
    std::map<std::string, std::vector<std::string>> files;
    for (const Piece& piece : member_.pieces) {
      const auto other = std::ranges::find_if(options_.other_labs, [&](const std::string& lab) {
        return as_kernel(piece, lab) || as_sheet(piece, lab) ||
               (lab_of_other(piece) == lab && grader::is_other_source(last_of(piece.name)));
      });
      if (other != options_.other_labs.end()) files[*other].push_back(piece.path);
    }
    return files;
  }

  HandIn read() {
    HandIn hand_in;
    const auto latest = std::ranges::max_element(member_.pieces, {}, &Piece::submission);
    hand_in.path = as_utf8(latest == member_.pieces.end() ? member_.place : latest->path);
    problems_ = member_.problems;
    find_near_names();
    for (const std::string& lab : options_.labs)
      if (std::optional<Work> work = work_of(lab)) hand_in.works[lab] = std::move(*work);
    if (options_.labs.size() == 1 && !options_.only_handed_in &&
        !hand_in.works.contains(options_.labs.front()))
      if (std::optional<Work> work = only_file())
        hand_in.works[options_.labs.front()] = std::move(*work);
    // An unreadable part may contain any missing work.
    if (const std::string unread = unread_part(); !unread.empty())
      for (const std::string& lab : options_.labs)
        if (!hand_in.works.contains(lab)) hand_in.works[lab].problem = as_utf8(unread);
    report_unused_files(hand_in);
    report_unread();
    for (const std::string& each : problems_)
      hand_in.problem += (hand_in.problem.empty() ? "" : "; ") + as_utf8(each);
    hand_in.problem = as_utf8(grader::shortened(hand_in.problem, longest_problem));
    return hand_in;
  }

 private:
  // Looks at a limited number of pieces without an exact name: a student may submit thousands.
  void find_near_names() {
    all_ = options_.labs;
    all_.insert(all_.end(), options_.other_labs.begin(), options_.other_labs.end());
    std::size_t left = most_near_names;
    for (const Piece& piece : member_.pieces) {
      const auto is_exact = [&](const std::string& lab) {
        return exact_kernel(piece, lab) || exact_sheet(piece, lab);
      };
      if (piece.online_text || std::ranges::any_of(all_, is_exact)) continue;
      if (left-- == 0) break;
      if (auto near = grader::lab_of_kernel(piece.name, all_))
        near_kernels_[&piece] = std::move(*near);
      else if (near = grader::lab_of_sheet(piece.name, all_))
        near_sheets_[&piece] = std::move(*near);
      else if (near = grader::lab_of_other_file(piece.name, all_))
        near_others_[&piece] = std::move(*near);
    }
  }
  using NearNames = std::map<const Piece*, grader::NearLab>;
  static std::optional<Claim> near(const NearNames& names, const Piece& piece,
                                   const std::string& lab) {
    const auto found = names.find(&piece);
    if (found == names.end() || found->second.lab != lab) return std::nullopt;
    return Claim{0, std::max(found->second.far, 1)};  // an exact name has 0
  }
  [[nodiscard]] std::optional<Claim> as_kernel(const Piece& piece, const std::string& lab) const {
    const auto claim = exact_kernel(piece, lab);
    return claim ? claim : near(near_kernels_, piece, lab);
  }
  [[nodiscard]] std::optional<Claim> as_sheet(const Piece& piece, const std::string& lab) const {
    const auto claim = exact_sheet(piece, lab);
    return claim ? claim : near(near_sheets_, piece, lab);
  }

  // Returns the file to grade, or nullptr without one. If files differ, the platform or the
  // times must decide; the other files are then reported. Otherwise sets `ambiguous`.
  template <typename As>
  const Piece* chosen(const std::string& stub, As as, std::string& ambiguous) {
    std::vector<Candidate> found;
    for (const Piece& piece : member_.pieces)
      if (const auto claim = as(piece)) found.push_back({&piece, *claim, time_of(piece)});
    if (found.empty()) return nullptr;
    const auto is_stub = [&](const Candidate& each) {
      return !stub.empty() && each.piece->file->read && text_in(*each.piece) == stub;
    };
    if (found.size() > 1 && !std::ranges::all_of(found, is_stub)) std::erase_if(found, is_stub);
    std::stable_sort(found.begin(), found.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    const Candidate& first = found.front();
    std::vector<std::string> rivals = {first.piece->path}, left_out;
    for (std::size_t i = 1; i < found.size(); ++i) {
      const Candidate& other = found[i];
      if (first.has_same_bytes(other)) continue;
      if (!first.counts_before(other))
        rivals.push_back(other.piece->path);
      else if (first.by_platform() == other.by_platform())
        left_out.push_back(other.piece->path);
    }
    if (rivals.size() > 1)
      ambiguous =
          fmt::format("{} {}; which one counts?", listed(rivals),
                      any_look_alike(rivals) ? "have names that look alike, but differ" : "differ");
    else if (!left_out.empty())
      problems_.push_back(fmt::format("{} counts, and {} {} left out", first.piece->path,
                                      listed(left_out), left_out.size() == 1 ? "was" : "were"));
    return first.piece;
  }

  static bool any_look_alike(const std::vector<std::string>& paths) {
    std::set<std::string> forms;
    for (const std::string& path : paths) forms.insert(composed(path));
    return forms.size() < paths.size();
  }

  static std::string text_in(const Piece& piece) {
    Result<std::string> text = piece.file->bytes.text();
    return text ? std::move(*text) : std::string{};
  }

  [[nodiscard]] std::string unread_part() const {
    const auto archive = std::ranges::find_if(member_.pieces, [](const Piece& piece) {
      return is_archive_name(last_of(piece.name)) && !piece.file->read;
    });
    return !member_.unread.empty() || archive == member_.pieces.end()
               ? member_.unread
               : fmt::format("{} {}", archive->path, archive->file->problem);
  }

  std::optional<Work> work_of(const std::string& lab) {
    std::string ambiguous, ambiguous_sheet;
    const auto stub = options_.stubs.find(lab);
    const Piece* kernel = chosen(
        stub == options_.stubs.end() ? "" : stub->second,
        [&](const Piece& piece) { return as_kernel(piece, lab); }, ambiguous);
    const Piece* sheet = chosen(
        "", [&](const Piece& piece) { return as_sheet(piece, lab); }, ambiguous_sheet);
    if (kernel == nullptr && sheet == nullptr) return std::nullopt;
    Work work = kernel != nullptr ? of_kernel(*kernel) : Work{};
    if (!ambiguous.empty()) {
      work.kernel.reset();
      work.problem = as_utf8(ambiguous);
    }
    if (sheet != nullptr) {
      used_.insert(sheet);
      std::string problem = ambiguous_sheet;
      if (problem.empty() && !sheet->file->read)
        problem = fmt::format("{} {}", sheet->path, sheet->file->problem);
      if (problem.empty()) {
        if (Result<std::string> text = sheet->file->bytes.text())
          work.sheet = std::move(*text), work.sheet_path = sheet->path;
        else
          problem = text.error().message;
      }
      // The answers may be worth points but cannot be graded: no mark is better than a zero.
      if (work.problem.empty()) work.problem = as_utf8(problem);
      work.at = std::max(work.at, time_of(*sheet));  // the later file counts for lateness
      if (sheet->marked_late)
        work.marked_late = work.marked_late.value_or(false) || *sheet->marked_late;
    }
    return work;
  }

  [[nodiscard]] std::optional<std::int64_t> time_of(const Piece& piece) const {
    if (piece.at) return piece.at;
    return options_.file_times ? piece.modified : std::nullopt;
  }

  Work of_kernel(const Piece& piece) {
    used_.insert(&piece);
    Work work;
    work.path = as_utf8(piece.path);
    work.at = time_of(piece);
    work.marked_late = piece.marked_late;
    const Result<std::string> bytes = piece.file->bytes.text();
    if (!piece.file->read || !bytes) {
      work.problem = piece.file->read ? bytes.error().message
                                      : fmt::format("{} {}", work.path, piece.file->problem);
      return work;
    }
    std::string text = piece.online_text ? text_of_page(*bytes) : *bytes;
    if (text.empty()) {  // counts as no submission, but is reported
      problems_.push_back(piece.path + " is empty");
    } else if (Status fine = grader::check_text(work.path, "kernel", text); !fine) {
      work.problem = fine.error().message;
    } else {
      work.kernel = std::move(text);
    }
    return work;
  }

  // If only one lab is graded, a student's only .cu file counts under any name; so does text typed
  // into the platform's editor.
  std::optional<Work> only_file() {
    std::vector<const Piece*> found;
    for (const Piece& piece : member_.pieces)
      if ((grader::meant_kernel(last_of(piece.name)) && !is_for_another(piece)) ||
          piece.online_text)
        found.push_back(&piece);
    if (found.size() != 1) return std::nullopt;
    return of_kernel(*found.front());
  }

  [[nodiscard]] bool is_for_another(const Piece& piece) const {
    return std::any_of(
        options_.other_labs.begin(), options_.other_labs.end(), [&](const std::string& lab) {
          return as_kernel(piece, lab) || as_sheet(piece, lab) || lab_of_other(piece) == lab;
        });
  }

  // The lab in the name of a file that is not a kernel; empty if the name has none.
  [[nodiscard]] std::string lab_of_other(const Piece& piece) const {
    const auto near = near_others_.find(&piece);
    return near == near_others_.end() ? std::string{} : near->second.lab;
  }
  [[nodiscard]] bool is_for_a_lab(const Piece& piece) const {
    const bool superseded = std::any_of(
        options_.labs.begin(), options_.labs.end(),
        [&](const std::string& lab) { return as_kernel(piece, lab) || as_sheet(piece, lab); });
    return used_.contains(&piece) || superseded || is_for_another(piece);
  }

  // Reports unused files that may be a kernel. Labs without a kernel then get no mark, which is
  // better than a zero. One sentence names all files of a kind.
  void report_unused_files(HandIn& hand_in) {
    std::map<std::string, std::vector<std::string>> of_lab;  // "01-race.cpp" is for 01-race
    std::vector<std::string> kernels, sources, typed;
    for (const Piece& piece : member_.pieces) {
      if (is_for_a_lab(piece)) continue;
      if (piece.online_text)
        typed.push_back(piece.path);
      else if (grader::meant_kernel(last_of(piece.name)))
        kernels.push_back(piece.path);
      else if (const std::string lab = lab_of_other(piece); !lab.empty())
        of_lab[lab].push_back(piece.path);
      else if (may_be_kernel(last_of(piece.name), *piece.file))
        sources.push_back(piece.path);
    }
    std::string any, any_path;  // about files that may be for any lab
    if (!kernels.empty()) {
      any = fmt::format("{}: {}", not_graded(kernels), no_lab(kernels));
      any_path = kernels.front();
    } else if (!typed.empty()) {
      any = fmt::format("{}: it was typed in, and names no lab", not_graded(typed));
      any_path = typed.front();
    } else if (!sources.empty()) {
      any = fmt::format("{}: the name of a kernel's file must end in .cu, such as {}.cu",
                        not_graded(sources), options_.labs.front());
      any_path = sources.front();
    }
    bool is_reported = any.empty();
    for (const std::string& lab : options_.labs) {
      const auto found = hand_in.works.find(lab);
      if (found != hand_in.works.end() && (found->second.kernel || !found->second.problem.empty()))
        continue;
      const auto own = of_lab.find(lab);
      if (own == of_lab.end() && any.empty()) continue;
      Work& work = hand_in.works[lab];
      const bool is_own = own != of_lab.end();
      is_reported |= !is_own;
      if (work.path.empty()) work.path = as_utf8(is_own ? own->second.front() : any_path);
      const std::string problem =
          is_own ? fmt::format("{}: the name of a kernel's file must end in .cu. Name it {}.cu",
                               not_graded(own->second), lab)
                 : any;
      work.problem = as_utf8(grader::shortened(problem, longest_problem));
    }
    // All labs have a kernel, but a file with a misspelt name may be a later one.
    if (!is_reported && (!kernels.empty() || !typed.empty())) problems_.push_back(any);
  }
  [[nodiscard]] std::string no_lab(const std::vector<std::string>& kernels) const {
    std::vector<std::string> names;
    for (const std::string& lab : options_.labs) names.push_back(lab + ".cu");
    const std::string meant = grader::did_you_mean(last_of(kernels.front()), names);
    return "the name contains no graded lab" +
           (meant.empty() ? fmt::format(". Name a kernel after its lab, such as {}", names.front())
                          : meant);
  }
  static std::string listed(std::span<const std::string> paths) {
    constexpr std::size_t most = 3;
    const bool all = paths.size() <= most;
    const std::string last = all ? paths.back() : fmt::format("{} more", paths.size() - most);
    const std::span<const std::string> before = paths.first(all ? paths.size() - 1 : most);
    return before.empty() ? last : fmt::format("{} and {}", fmt::join(before, ", "), last);
  }
  static std::string not_graded(const std::vector<std::string>& paths) {
    return fmt::format("{} {} not graded", listed(paths), paths.size() == 1 ? "was" : "were");
  }

  // Reports archives that could not be opened, and empty submissions.
  void report_unread() {
    for (const Piece& piece : member_.pieces)
      if (!is_for_a_lab(piece) && !piece.online_text &&
          !grader::meant_kernel(last_of(piece.name)) && is_archive_name(last_of(piece.name)))
        problems_.push_back(fmt::format("{} {}", piece.path, piece.file->problem));
    if (member_.pieces.empty() && problems_.empty()) problems_.emplace_back(nothing_handed_in);
  }

  const Member& member_;
  const IntakeOptions& options_;
  std::vector<std::string> all_;  // graded and other labs
  NearNames near_kernels_, near_sheets_, near_others_;
  std::vector<std::string> problems_;
  std::set<const Piece*> used_;
};

// Returns an Error if no file name contains a lab.
Status keep_labs_of(const Members& members, IntakeOptions& options) {
  std::set<std::string> named;
  for (const auto& [identity, member] : members.by_identity)
    named.merge(HandInReader{member, options}.labs_named());
  if (named.empty() && !members.by_identity.empty())
    return Error{
        "no file name contains a lab: a kernel's name is LAB.cu. If you name the lab in the "
        "command, each student's only .cu file counts for it"};
  std::vector<std::string> labs;
  for (std::string& lab : options.labs)
    (named.contains(lab) ? labs : options.other_labs).push_back(std::move(lab));
  options.labs = std::move(labs);
  return Done{};
}

// One sentence about the files for other labs; empty without such files.
std::string other_labs_of(const Members& members, const IntakeOptions& options) {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& [identity, member] : members.by_identity)
    for (auto& [lab, of] : HandInReader{member, options}.files_of_other_labs())
      files[lab].insert(files[lab].end(), of.begin(), of.end());
  std::vector<std::string> parts;
  for (const auto& [lab, of] : files)
    parts.push_back(fmt::format("{} for {} ({}{})", grader::counted(of.size(), "file"), lab,
                                of.front(), of.size() == 1 ? "" : ", ..."));
  return parts.empty() ? std::string{}
                       : fmt::format("labs that are not graded: {}", fmt::join(parts, ", "));
}

}  // namespace

Result<Intake> Intake::of(Tree tree, IntakeOptions options) {
  Intake intake;
  intake.tree_ = std::move(tree), intake.options_ = std::move(options);
  Members members = TRY(members_of(intake.tree_, intake.options_.labs, intake.options_.other_labs));
  intake.members_ = intake.options_.roster
                        ? with_roster(std::move(members), *intake.options_.roster)
                        : std::move(members);
  if (intake.options_.only_handed_in) TRY(keep_labs_of(intake.members_, intake.options_));
  if (std::string others = other_labs_of(intake.members_, intake.options_); !others.empty())
    intake.members_.remarks.push_back(std::move(others));
  const std::map<std::string, Member>& by_identity = intake.members_.by_identity;
  if (by_identity.empty())
    return Error{
        fmt::format("it has no students: expected a folder, an archive or a file STUDENT_LAB.cu "
                    "per student, or an export of Gradescope, Moodle or Canvas{}",
                    intake.remarks().empty() ? "" : " (" + intake.remarks().front() + ")")};
  // Students with the same name have different identities, which become part of their keys.
  std::map<std::string, int> count;
  for (const auto& [identity, member] : by_identity) ++count[member.key_name];
  std::vector<std::string> names;
  for (const auto& [identity, member] : by_identity)
    names.push_back(count[member.key_name] > 1 ? member.key_name + " " + identity
                                               : member.key_name);
  count.clear();
  for (const std::string& name : names) ++count[name];
  for (auto [name, member] = std::pair{names.begin(), by_identity.begin()}; name != names.end();
       ++name, ++member)
    if (count[*name] > 1)  // a student's name equals another one's name plus identity
      *name += '\0' + member->first;
  std::vector<std::string> keys = keys_of(names);
  std::size_t i = 0;
  for (const auto& [identity, member] : by_identity)
    intake.by_key_.emplace_back(std::move(keys[i++]), &member);
  std::ranges::sort(intake.by_key_);
  return intake;
}

bool Intake::has(const std::string& key) const {
  const auto at = std::ranges::lower_bound(
      by_key_, key, {}, [](const auto& each) -> const std::string& { return each.first; });
  return at != by_key_.end() && at->first == key;
}

Student Intake::student(std::size_t number) const {
  const auto& [key, member] = by_key_[number];
  Student student = member->student;
  student.key = key, student.name = as_utf8(student.name);
  return student;
}

HandIn Intake::at(std::size_t number) const {
  HandIn one = HandInReader{*by_key_[number].second, options_}.read();
  one.student = student(number);
  return one;
}

HandIns Intake::hand_ins() const {
  return {size(), [this](std::size_t number) { return at(number); }};
}

}  // namespace histolab::batch
