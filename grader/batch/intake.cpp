#include "grader/batch/intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

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
std::ptrdiff_t depth_of(const std::string& name) { return std::count(name.begin(), name.end(), '/'); }

// What a piece is for a lab: how often it was handed in again, and how far its name is from the lab's.
struct Claim {
  std::uint64_t again = 0;
  int far = 0;
};

// By the exact name, with a number where the file was handed in again.
std::optional<Claim> exact(const Piece& piece, const std::string& lab, const std::string& in_folder, const std::string& ending) {
  const std::string nested = lab + in_folder;
  if (piece.name == nested || piece.name.ends_with("/" + nested)) return Claim{};
  const auto again = handed_in_again(last_of(piece.name), lab + ending);
  return again ? std::optional{Claim{*again}} : std::nullopt;
}
std::optional<Claim> exact_kernel(const Piece& piece, const std::string& lab) { return exact(piece, lab, "/stub.cu", ".cu"); }
std::optional<Claim> exact_sheet(const Piece& piece, const std::string& lab) { return exact(piece, lab, "/quiz.json", ".quiz.json"); }

struct Candidate {
  const Piece* piece = nullptr;
  Claim claim;
  // Later submissions first, then nearer names, then files higher up. A number counts only among files
  // side by side; but Canvas gives one to the file of a submission itself.
  [[nodiscard]] auto rank() const {
    const std::ptrdiff_t depth = depth_of(piece->name);
    const auto number = -static_cast<std::int64_t>(claim.again);
    const bool is_canvass = piece->submission != 0 && depth == 0;
    return std::tuple{-static_cast<std::int64_t>(piece->submission), is_canvass ? number : 0, claim.far, depth, number};
  }
};

class HandInReader {
 public:
  HandInReader(const Member& member, const IntakeOptions& options) : member_(member), options_(options) {}

  // The labs that a file's name says.
  std::set<std::string> labs_named() {
    find_near_names();
    std::set<std::string> named;
    for (const Piece& piece : member_.pieces)
      for (const std::string& lab : options_.labs)
        if (as_kernel(piece, lab) || as_sheet(piece, lab)) named.insert(lab);
    return named;
  }

  HandIn read() {
    HandIn hand_in;
    const auto latest = std::ranges::max_element(member_.pieces, {}, &Piece::submission);
    hand_in.path = as_utf8(latest == member_.pieces.end() ? member_.place : latest->path);
    problems_ = member_.problems;
    find_near_names();
    for (const std::string& lab : options_.labs)
      if (std::optional<Work> work = work_of(lab)) hand_in.works[lab] = std::move(*work);
    if (options_.labs.size() == 1 && !options_.only_handed_in && !hand_in.works.contains(options_.labs.front()))
      if (std::optional<Work> work = only_file()) hand_in.works[options_.labs.front()] = std::move(*work);
    if (const std::string unread = unread_part(); !unread.empty())  // nobody knows what is in it: a missing work may be
      for (const std::string& lab : options_.labs)
        if (!hand_in.works.contains(lab)) hand_in.works[lab].problem = as_utf8(unread);
    tell_strangers();
    review_strangers(hand_in);
    for (const std::string& each : problems_) hand_in.problem += (hand_in.problem.empty() ? "" : "; ") + as_utf8(each);
    hand_in.problem = as_utf8(grader::shortened(hand_in.problem, longest_problem));
    return hand_in;
  }

 private:
  // Of pieces without an exact name the first ones: a student may hand in thousands.
  void find_near_names() {
    all_ = options_.labs;
    all_.insert(all_.end(), options_.other_labs.begin(), options_.other_labs.end());
    std::size_t left = most_near_names;
    for (const Piece& piece : member_.pieces) {
      const auto is_exact = [&](const std::string& lab) { return exact_kernel(piece, lab) || exact_sheet(piece, lab); };
      if (piece.online_text || std::ranges::any_of(all_, is_exact)) continue;
      if (left-- == 0) break;
      if (auto near = grader::lab_of_kernel(piece.name, all_)) near_kernels_[&piece] = std::move(*near);
      else if (near = grader::lab_of_sheet(piece.name, all_)) near_sheets_[&piece] = std::move(*near);
    }
  }
  using NearNames = std::map<const Piece*, grader::NearLab>;
  static std::optional<Claim> near(const NearNames& names, const Piece& piece, const std::string& lab) {
    const auto found = names.find(&piece);
    if (found == names.end() || found->second.lab != lab) return std::nullopt;
    return Claim{0, std::max(found->second.far, 1)};  // 01-race.cu.txt is not as good as 01-race.cu
  }
  [[nodiscard]] std::optional<Claim> as_kernel(const Piece& piece, const std::string& lab) const {
    const auto claim = exact_kernel(piece, lab);
    return claim ? claim : near(near_kernels_, piece, lab);
  }
  [[nodiscard]] std::optional<Claim> as_sheet(const Piece& piece, const std::string& lab) const {
    const auto claim = exact_sheet(piece, lab);
    return claim ? claim : near(near_sheets_, piece, lab);
  }

  // The one that counts; null where there is none. What two claim with the same right is `ambiguous`, unless they hold the same.
  template <typename As>
  const Piece* chosen(As as, std::string& ambiguous) const {
    std::vector<Candidate> found;
    for (const Piece& piece : member_.pieces)
      if (const auto claim = as(piece)) found.push_back({&piece, *claim});
    if (found.empty()) return nullptr;
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    const Candidate& first = found.front();
    for (std::size_t i = 1; i < found.size() && found[i].rank() == first.rank() && ambiguous.empty(); ++i)
      if (!first.piece->file->read || first.piece->file->bytes != found[i].piece->file->bytes) ambiguous = fmt::format("{} and {} are both there; which one counts?", first.piece->path, found[i].piece->path);
    return first.piece;
  }

  [[nodiscard]] std::string unread_part() const {
    const auto archive = std::ranges::find_if(member_.pieces, [](const Piece& piece) { return is_archive_name(last_of(piece.name)) && !piece.file->read; });
    return !member_.unread.empty() || archive == member_.pieces.end() ? member_.unread : fmt::format("{} {}", archive->path, archive->file->problem);
  }

  std::optional<Work> work_of(const std::string& lab) {
    std::string ambiguous, ambiguous_sheet;
    const Piece* kernel = chosen([&](const Piece& piece) { return as_kernel(piece, lab); }, ambiguous);
    const Piece* sheet = chosen([&](const Piece& piece) { return as_sheet(piece, lab); }, ambiguous_sheet);
    if (kernel == nullptr && sheet == nullptr) return std::nullopt;
    Work work = kernel != nullptr ? of_kernel(*kernel) : Work{};
    if (!ambiguous.empty()) work.kernel.reset(), work.problem = as_utf8(ambiguous);
    if (sheet != nullptr) {
      used_.insert(sheet);
      if (!ambiguous_sheet.empty()) problems_.push_back(ambiguous_sheet);
      else if (!sheet->file->read) problems_.push_back(fmt::format("{} {}", sheet->path, sheet->file->problem));
      else if (Result<std::string> text = sheet->file->bytes.text()) work.sheet = std::move(*text), work.sheet_path = sheet->path;
      else problems_.push_back(text.error().message);
      work.at = std::max(work.at, time_of(*sheet));  // what came last makes it late
      if (sheet->marked_late) work.marked_late = work.marked_late.value_or(false) || *sheet->marked_late;
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
      work.problem = piece.file->read ? bytes.error().message : fmt::format("{} {}", work.path, piece.file->problem);
      return work;
    }
    std::string text = piece.online_text ? text_of_page(*bytes) : *bytes;
    if (text.empty()) {  // nothing was handed in; the person may want to know of it
      problems_.push_back(piece.path + " is empty");
    } else if (Status fine = grader::check_text(work.path, "kernel", text); !fine) {
      work.problem = fine.error().message;
    } else {
      work.kernel = std::move(text);
    }
    return work;
  }

  // With one lab chosen, the only .cu is it, whatever it is called; and so is what was typed into the platform's editor.
  std::optional<Work> only_file() {
    std::vector<const Piece*> found;
    for (const Piece& piece : member_.pieces)
      if ((grader::meant_kernel(last_of(piece.name)) && !is_for_another(piece)) || piece.online_text) found.push_back(&piece);
    if (found.size() != 1) return std::nullopt;
    return of_kernel(*found.front());
  }

  [[nodiscard]] bool is_for_another(const Piece& piece) const {
    return std::any_of(options_.other_labs.begin(), options_.other_labs.end(), [&](const std::string& lab) { return as_kernel(piece, lab) || as_sheet(piece, lab); });
  }

  // A file whose name says no lab may be for any lab that has no other: no mark is better than a zero.
  void review_strangers(HandIn& hand_in) const {
    const auto stranger = std::ranges::find_if(member_.pieces, [&](const Piece& piece) { return is_strange_kernel(piece) || (piece.online_text && !used_.contains(&piece)); });
    if (stranger == member_.pieces.end()) return;
    for (const std::string& lab : options_.labs) {
      Work& work = hand_in.works[lab];
      if (work.kernel || !work.problem.empty()) continue;
      work.path = as_utf8(stranger->path);
      work.problem = as_utf8(fmt::format("{} was not graded: its name says no lab. If it is for {}, name it {}.cu", stranger->path, lab, lab));
    }
  }
  [[nodiscard]] bool is_strange_kernel(const Piece& piece) const {
    return !piece.online_text && !is_used_or_for_a_lab(piece) && grader::meant_kernel(last_of(piece.name));
  }

  [[nodiscard]] bool is_used_or_for_a_lab(const Piece& piece) const {
    const bool superseded = std::any_of(options_.labs.begin(), options_.labs.end(), [&](const std::string& lab) { return as_kernel(piece, lab) || as_sheet(piece, lab); });
    return used_.contains(&piece) || superseded || is_for_another(piece);
  }

  // Most likely a misspelt name, and silence would cost a mark. Of thousands the first are told.
  void tell_strangers() {
    std::vector<std::string> names;
    for (const std::string& lab : options_.labs) names.push_back(lab + ".cu");
    std::size_t bytes = 0, before = problems_.size();
    for (const Piece& piece : member_.pieces) {
      for (; before < problems_.size(); ++before) bytes += problems_[before].size();
      if (bytes > longest_problem) break;
      const std::string last = last_of(piece.name);
      if (is_used_or_for_a_lab(piece)) continue;
      if (piece.online_text) problems_.push_back(piece.path + " was typed in, not handed in as a file; which lab it is for, it does not say");
      else if (grader::meant_kernel(last)) problems_.push_back(fmt::format("{} belongs to no lab that is graded{}", piece.path, grader::did_you_mean(last, names)));
      else if (is_archive_name(last)) problems_.push_back(fmt::format("{} {}", piece.path, piece.file->problem));
    }
    if (member_.pieces.empty() && problems_.empty()) problems_.emplace_back("nothing was handed in");
  }

  const Member& member_;
  const IntakeOptions& options_;
  std::vector<std::string> all_;  // labs, also those that are not graded
  NearNames near_kernels_, near_sheets_;
  std::vector<std::string> problems_;
  std::set<const Piece*> used_;
};

// Error: no file's name says a lab.
Status keep_labs_of(const Members& members, IntakeOptions& options) {
  std::set<std::string> named;
  for (const auto& [identity, member] : members.by_identity) named.merge(HandInReader{member, options}.labs_named());
  if (named.empty() && !members.by_identity.empty()) return Error{"no file's name says which lab it is for: a kernel is called LAB.cu. Name the lab in the command, and each student's only .cu file counts for it"};
  std::vector<std::string> labs;
  for (std::string& lab : options.labs) (named.contains(lab) ? labs : options.other_labs).push_back(std::move(lab));
  options.labs = std::move(labs);
  return Done{};
}

}  // namespace

Result<Intake> Intake::of(Tree tree, IntakeOptions options) {
  Intake intake;
  intake.tree_ = std::move(tree), intake.options_ = std::move(options);
  Result<Members> members = members_of(intake.tree_, intake.options_.labs, intake.options_.other_labs);
  if (!members) return members.error();
  intake.members_ = intake.options_.roster ? with_roster(std::move(*members), *intake.options_.roster) : std::move(*members);
  if (intake.options_.only_handed_in)
    if (Status kept = keep_labs_of(intake.members_, intake.options_); !kept) return kept.error();
  const std::map<std::string, Member>& by_identity = intake.members_.by_identity;
  if (by_identity.empty())
    return Error{fmt::format("there is nobody in it: expected a folder, an archive or a file STUDENT_LAB.cu for each student, or an export of Gradescope, Moodle or Canvas{}",
                             intake.remarks().empty() ? "" : " (" + intake.remarks().front() + ")")};
  // Two people of one name have different identities; then those make the keys.
  std::map<std::string, int> called;
  for (const auto& [identity, member] : by_identity) ++called[member.key_name];
  std::vector<std::string> names;
  for (const auto& [identity, member] : by_identity) names.push_back(called[member.key_name] > 1 ? member.key_name + " " + identity : member.key_name);
  called.clear();
  for (const std::string& name : names) ++called[name];
  for (auto [name, member] = std::pair{names.begin(), by_identity.begin()}; name != names.end(); ++name, ++member)
    if (called[*name] > 1) *name += '\0' + member->first;  // somebody is called as another is told from his namesake
  std::vector<std::string> keys = keys_of(names);
  std::size_t i = 0;
  for (const auto& [identity, member] : by_identity) intake.by_key_.emplace_back(std::move(keys[i++]), &member);
  std::ranges::sort(intake.by_key_);
  return intake;
}

bool Intake::has(const std::string& key) const {
  const auto at = std::ranges::lower_bound(by_key_, key, {}, [](const auto& each) -> const std::string& { return each.first; });
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
