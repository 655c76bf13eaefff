#include "grader/batch/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "grader/batch/gradescope.h"
#include "grader/batch/keys.h"
#include "grader/batch/pack.h"
#include "grader/batch/schemes.h"
#include "grader/lab/uploaded.h"

namespace histolab::batch {
namespace {

constexpr const char* metadata_name = "submission_metadata.yml";

// Naming scheme of one folder's entries: an export has names of one platform.
enum class Scheme { moodle, canvas, mixed };

class Sorter {
 public:
  Sorter(const Tree& tree, const std::vector<std::string>& labs,
         const std::vector<std::string>& others)
      : tree_(tree), labs_(labs), all_(labs) {
    all_.insert(all_.end(), others.begin(), others.end());
  }

  Status sort(const std::string& at) {
    const std::string root = inner_root(at);
    if (has_file(root + metadata_name)) return sort_gradescope(root);
    const bool of_exports = contains_exports(root);
    const Scheme scheme = scheme_of(root);
    const std::set<std::string> namesakes = namesakes_in(root, scheme);
    for (const std::string& name : children(root)) {
      const std::string path = root + name;
      if (const auto canvas = as_canvas(name, scheme))
        take_canvas(path, *canvas);
      else if (const auto moodle = as_moodle(path, scheme))
        take_moodle(path, *moodle, namesakes.contains(moodle->name));
      else if (is_folder(path) && of_exports) {
        TRY(sort(path + "/"));
      } else if (is_folder(path)) {
        if (is_export(path + "/"))
          members_.remarks.push_back(fmt::format(
              "{} looks like an export but is next to students' folders, so it counts as a "
              "student's folder: put exports into a separate folder",
              path));
        const std::string student = owner_of(path);
        take_folder(path, member("name " + student, student));
      } else
        take_file(path, name);
    }
    return Done{};
  }
  Members members() && {
    drop_shared_numbers();
    return std::move(members_);
  }

 private:
  // ---- the tree: `at` is empty or ends in '/' ----
  [[nodiscard]] bool is_folder(const std::string& path) const {
    return tree_.folders.contains(path);
  }
  [[nodiscard]] bool has_file(const std::string& path) const { return tree_.files.contains(path); }
  [[nodiscard]] std::vector<std::string> children(const std::string& at) const {
    std::set<std::string> names;
    const auto take = [&](const std::string& path) {
      const std::size_t end = path.find('/', at.size());
      names.insert(path.substr(at.size(), end == std::string::npos ? end : end - at.size()));
    };
    for (auto each = tree_.files.lower_bound(at);
         each != tree_.files.end() && each->first.starts_with(at); ++each)
      take(each->first);
    for (auto each = tree_.folders.lower_bound(at);
         each != tree_.folders.end() && each->starts_with(at); ++each)
      take(*each);
    return {names.begin(), names.end()};
  }
  [[nodiscard]] std::string plain(const std::string& path) const {
    const std::string name = path.substr(path.rfind('/') + 1);
    return tree_.archives.contains(path) ? without_archive_ending(name) : name;
  }
  // The owner of a folder or archive: ada for ada/ and for ada_histolab-handin.zip.
  [[nodiscard]] std::string owner_of(const std::string& path) const {
    const std::string name = path.substr(path.rfind('/') + 1);
    return student_before(name, pack_name).value_or(plain(path));
  }
  [[nodiscard]] bool is_lab_file(const std::string& name) const {
    return std::any_of(all_.begin(), all_.end(), [&](const std::string& lab) {
      return name == lab || name == lab + ".cu" || name == lab + ".quiz.json";
    });
  }
  // Returns Moodle's scheme if each name that fits any scheme fits Moodle's; the same for Canvas.
  [[nodiscard]] Scheme scheme_of(const std::string& at) const {
    bool all_moodle = true, all_canvas = true;
    for (const std::string& name : children(at)) {
      const bool moodle = moodle_name(plain(at + name)).has_value(),
                 canvas = canvas_name(name).has_value();
      if (!moodle && !canvas) continue;
      all_moodle &= moodle, all_canvas &= canvas;
    }
    if (all_canvas) return Scheme::canvas;
    return all_moodle ? Scheme::moodle : Scheme::mixed;
  }
  // Canvas has precedence: students choose the end of a Canvas name, which may look like Moodle's.
  [[nodiscard]] static std::optional<CanvasName> as_canvas(const std::string& name, Scheme scheme) {
    return scheme == Scheme::moodle ? std::nullopt : canvas_name(name);
  }
  [[nodiscard]] std::optional<MoodleName> as_moodle(const std::string& path, Scheme scheme) const {
    std::optional<MoodleName> found =
        scheme == Scheme::canvas ? std::nullopt : moodle_name(plain(path));
    if (found) found->name = composed(found->name);
    return found;
  }
  [[nodiscard]] bool has_platform_name(const std::string& at, const std::string& name) const {
    return moodle_name(plain(at + name)) || canvas_name(name);
  }
  // True if the file, or a file in the folder, is work by its name; with `any`, also if it may be a
  // kernel.
  [[nodiscard]] bool contains_work(const std::string& path, bool any) const {
    const auto may_be = [&](const std::string& at, const File& file) {
      const std::string name = at.substr(at.rfind('/') + 1);
      return is_work(name) || (any && may_be_kernel(name, file));
    };
    if (!is_folder(path)) {
      const auto file = tree_.files.find(path);
      return file != tree_.files.end() && may_be(path, file->second);
    }
    const std::string below = path + "/";
    for (auto each = tree_.files.lower_bound(below);
         each != tree_.files.end() && each->first.starts_with(below); ++each)
      if (may_be(each->first, each->second)) return true;
    return tree_.unread.contains(path) || tree_.problems.contains(path);
  }
  // True if each folder and each file that may be work has a platform's name. A single such name
  // among a student's files is not enough.
  [[nodiscard]] bool is_export(const std::string& at) const {
    if (has_file(at + metadata_name)) return true;
    bool has_work = false;
    for (const std::string& name : children(at)) {
      const bool fits = has_platform_name(at, name);
      if (!fits && (is_folder(at + name) || contains_work(at + name, false))) return false;
      has_work |= fits && contains_work(at + name, true);
    }
    return has_work;
  }
  // True for STUDENT_LAB.cu, and for STUDENT.cu if only one lab is graded.
  [[nodiscard]] bool is_student_file(const std::string& name) const {
    if (labs_.size() == 1 && name.ends_with(".cu") && !is_lab_file(name)) return true;
    return std::ranges::any_of(all_, [&](const std::string& lab) {
      return student_before(name, lab + ".cu") || student_before(name, lab + ".quiz.json");
    });
  }
  // True if there are only exports, and no folder or file of a student: students choose the names
  // in their own folders.
  [[nodiscard]] bool contains_exports(const std::string& at) const {
    const auto names = children(at);
    return std::ranges::all_of(names, [&](const std::string& name) {
      if (has_platform_name(at, name)) return true;
      return is_folder(at + name) ? is_export(at + name + "/") : !is_student_file(name);
    });
  }
  // Enters a single folder around everything if it contains several students or an export, but not
  // one student's labs.
  [[nodiscard]] std::string inner_root(const std::string& at) const {
    const auto names = children(at);
    if (names.size() != 1 || !is_folder(at + names.front()) || has_platform_name(at, names.front()))
      return at;
    const std::string below = at + names.front() + "/";
    if (is_export(below)) return below;
    const auto inside = children(below);
    if (std::any_of(inside.begin(), inside.end(),
                    [&](const std::string& name) { return is_lab_file(name); }))
      return at;
    const auto folders = std::count_if(inside.begin(), inside.end(), [&](const std::string& name) {
      return is_folder(below + name);
    });
    if (inside.size() == 1 && folders == 1) {
      const std::string deeper = inner_root(below);
      return deeper == below ? at : deeper;
    }
    const bool has_student_files =
        std::any_of(inside.begin(), inside.end(), [&](const std::string& name) {
          return std::any_of(all_.begin(), all_.end(), [&](const std::string& lab) {
            return student_before(name, lab + ".cu").has_value();
          });
        });
    return folders >= 2 || has_student_files ? below : at;
  }

  // ---- files by student ----
  Member& member(const std::string& identity, const std::string& name) {
    Member& found = members_.by_identity[composed(identity)];
    if (found.key_name.empty()) found.key_name = found.student.name = composed(name);
    return found;
  }
  void take_folder(const std::string& path, Member& owner, const Piece& like = {}) {
    if (owner.place.empty()) owner.place = path;
    const std::string below = path + "/";
    for (auto each = tree_.files.lower_bound(below);
         each != tree_.files.end() && each->first.starts_with(below); ++each) {
      Piece piece = like;
      piece.path = each->first, piece.name = each->first.substr(below.size()),
      piece.file = &each->second;
      piece.modified = time_of(each->first, each->second, path.size());
      owner.pieces.push_back(std::move(piece));
    }
    for (const auto& [at, text] : tree_.problems) {
      if (at != path && !at.starts_with(below)) continue;
      owner.problems.push_back(
          fmt::format("{} {}", at.ends_with('/') ? at.substr(0, at.size() - 1) : at, text));
      if (tree_.unread.contains(at)) owner.unread = owner.problems.back();
    }
  }
  // The time of a file in the student's folder, which is the first `size` bytes of the path.
  [[nodiscard]] std::optional<std::int64_t> time_of(const std::string& path, const File& file,
                                                    std::size_t size) const {
    for (std::size_t at = path.find('/', size); at != std::string::npos;
         at = path.find('/', at + 1)) {
      const std::string around = path.substr(0, at);
      if (!tree_.archives.contains(around)) continue;
      const auto time = tree_.archive_times.find(around);
      return time == tree_.archive_times.end() ? std::nullopt : std::optional{time->second};
    }
    return file.modified;
  }
  void take(const std::string& path, const std::string& name, Member& owner, Piece like = {}) {
    if (is_folder(path)) return take_folder(path, owner, like);
    like.path = path, like.name = name, like.file = &tree_.files.at(path);
    like.modified = like.file->modified;
    owner.pieces.push_back(std::move(like));
  }
  // Names that several people of one Moodle export share: their numbers differ.
  [[nodiscard]] std::set<std::string> namesakes_in(const std::string& root, Scheme scheme) {
    std::map<std::string, std::set<std::string>> numbers;
    for (const std::string& name : children(root))
      if (const auto moodle = as_moodle(root + name, scheme); moodle && !as_canvas(name, scheme))
        numbers[moodle->name].insert(moodle->participant);
    std::set<std::string> namesakes;
    for (const auto& [name, of] : numbers) {
      if (of.size() == 1) continue;
      namesakes.insert(name);
      members_.remarks.push_back(fmt::format(
          "{} people are called {}, with the numbers {}: each is graded separately, and "
          "their submissions in other exports are not combined",
          of.size(), name, fmt::join(of, ", ")));
    }
    return namesakes;
  }
  void take_moodle(const std::string& path, const MoodleName& of, bool has_namesake) {
    // The number is only valid in one assignment, so exports are combined by name. Another student
    // may be called "Ada Lovelace 101".
    Member& owner = has_namesake ? member("moodle " + of.participant + " " + of.name,
                                          of.name + " " + of.participant)
                                 : member("name " + of.name, of.name);
    owner.student.name = of.name;
    std::set<std::string>& numbers = numbers_[&owner];
    numbers.insert(of.participant);
    owner.student.id = numbers.size() == 1 ? of.participant : "";
    Piece like;
    like.online_text = of.online_text;
    take(path, of.file, owner, like);
  }
  // Two people may have the same number in different Moodle assignments, or in Moodle and Canvas.
  void drop_shared_numbers() {
    std::map<std::string, int> people;
    for (const auto& [identity, member] : members_.by_identity) ++people[member.student.id];
    for (auto& [identity, member] : members_.by_identity) {
      Student& student = member.student;
      if (!numbers_.contains(&member) || student.id.empty() || people[student.id] == 1) continue;
      members_.remarks.push_back(fmt::format(
          "{} has the number {}, which another person also has: the results have no ID for {}",
          student.name, student.id, student.name));
      student.id.clear();
    }
  }
  void take_canvas(const std::string& path, const CanvasName& of) {
    Member& owner = member("canvas " + of.user, of.name);
    owner.student.id = of.user;
    Piece like;
    like.marked_late = of.late, like.submission = of.submission;
    take(path, of.file, owner, like);
  }
  // Splits "ada_race (1).cu" into "ada" and "race (1).cu", at the separator after which the name is
  // nearest to a lab's. Returns nullopt without such a separator, or if the whole name is a lab's.
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> near_student(
      const std::string& name) const {
    constexpr int only_the_lab = 2;  // the lab's number, or its words, or both
    const auto lab_of = [&](const std::string& file) {
      const auto near = grader::lab_of_kernel(file, all_);
      return near || grader::meant_kernel(file) ? near : grader::lab_of_other_file(file, all_);
    };
    const auto whole = lab_of(name);
    if (whole && whole->far % grader::farther_by_ending <= only_the_lab) return std::nullopt;
    std::optional<std::pair<std::string, std::string>> found;
    int nearest = std::numeric_limits<int>::max();
    for (std::size_t at = name.find_first_of("_-. ", 1); at < name.size() - 1;
         at = name.find_first_of("_-. ", at + 1)) {
      const std::string file = name.substr(at + 1);
      const auto near = lab_of(file);
      if (!near) continue;
      const int far = near->far % grader::farther_by_ending;
      // At equal distance the longest file name wins, unless it has extra words before the lab's:
      // these may belong to the student's name.
      if (far > nearest || (far == nearest && nearest <= only_the_lab)) continue;
      nearest = far;
      found = {name.substr(0, at), file};
    }
    return found;
  }
  void take_file(const std::string& path, const std::string& name) {
    for (const std::string& lab : all_)
      for (const std::string& file : {lab + ".cu", lab + ".quiz.json"})
        if (const auto student = student_before(name, file))
          return take(path, file, member("name " + *student, *student));
    if (labs_.size() == 1 && name.ends_with(".cu") && name.size() > 3 && !is_lab_file(name)) {
      const std::string student = name.substr(0, name.size() - 3);
      return take(path, labs_.front() + ".cu", member("name " + student, student));
    }
    if (is_archive_name(name))
      // It could not be read.
      return take(path, name,
                  member("name " + without_archive_ending(name), without_archive_ending(name)));
    const bool may_be = may_be_kernel(name, tree_.files.at(path));
    if (const auto near = near_student(name); near && may_be)
      return take(path, near->second, member("name " + near->first, near->first));
    if (labs_.size() == 1 && may_be && !grader::meant_kernel(name) &&
        !grader::lab_of_other_file(name, all_)) {
      const std::string student = name.substr(0, name.rfind('.'));
      return take(path, name, member("name " + student, student));
    }
    if (!may_be && !tree_.problems.contains(path)) return;
    members_.remarks.push_back(fmt::format(
        "{} belongs to no student: name it STUDENT_LAB.cu, or put it into a student's folder",
        path));
  }

  Status sort_gradescope(const std::string& root) {
    const File& description = tree_.files.at(root + metadata_name);
    if (!description.read)
      return Error{fmt::format("{}{}: {}", root, metadata_name, description.problem)};
    const std::string text = TRY(description.bytes.text());
    const auto read = read_gradescope(text);
    if (!read) return Error{root + read.error().message};
    for (const auto& [folder, submission] : *read) {
      Piece like;
      like.at = submission.at;
      for (const auto& submitter : submission.submitters) {
        const std::string& id = !submitter.email.empty() ? submitter.email
                                : !submitter.sid.empty() ? submitter.sid
                                                         : submitter.name;
        Member& owner = member("gradescope " + id, submitter.name.empty() ? id : submitter.name);
        owner.student.sis_id = submitter.sid;
        owner.student.email = submitter.email;
        take_folder(root + folder, owner, like);
      }
      if (submission.submitters.empty())
        take_folder(root + folder, member("name " + folder, folder), like);
    }
    // A folder without a description is in the class under its own name.
    for (const std::string& name : children(root))
      if (is_folder(root + name) && !read->contains(name))
        take_folder(root + name, member("name " + name, name));
    return Done{};
  }

  const Tree& tree_;
  const std::vector<std::string>& labs_;
  std::vector<std::string> all_;  // graded and other labs
  Members members_;
  std::map<const Member*, std::set<std::string>> numbers_;  // Moodle's participant numbers
};

}  // namespace

Result<Members> members_of(const Tree& tree, const std::vector<std::string>& labs,
                           const std::vector<std::string>& other_labs) {
  Sorter sorter{tree, labs, other_labs};
  TRY(sorter.sort(""));
  Members members = std::move(sorter).members();
  std::vector<std::string> all = labs;
  all.insert(all.end(), other_labs.begin(), other_labs.end());
  for (auto& [identity, member] : members.by_identity) prefer_pack(member, all);
  if (const auto of_class = tree.problems.find(""); of_class != tree.problems.end())
    members.remarks.push_back("the class " + of_class->second);
  return members;
}

}  // namespace histolab::batch
