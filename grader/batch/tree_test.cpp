#include "grader/batch/tree.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>

#include "grader/batch/testing/archives.h"
#include "grader/batch/testing/trees.h"
#include "grader/batch/tree_builder.h"
#include "grader/batch/tree_message.h"
#include "grader/testing/files.h"

using namespace histolab;
using namespace histolab::batch;
using namespace histolab::batch::testing;
using histolab::grader::testing::get;
using histolab::grader::testing::put;
using histolab::grader::testing::TemporaryFolder;

namespace {

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all{"/proc/self/fd"};
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Limits the process to its open descriptors and `more` others.
class FewDescriptors {
 public:
  explicit FewDescriptors(int more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    int most = 0;
    while (fcntl(most, F_GETFD) >= 0 || more-- > 0) ++most;
    const rlimit few{static_cast<rlim_t>(most), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

}  // namespace

TEST_CASE("a folder: relevant files are read, links and pipes are listed but not followed") {
  const TemporaryFolder folder;
  put(folder.at("secret"), "secret");
  put(folder.at("class/ada/01-race.cu"), "A");
  put(folder.at("class/ada/notes.pdf"), "not read");
  put(folder.at("class/ada/._01-race.cu"), "litter");
  put(folder.at("class/ada/" + std::string(250, 'n')), "");
  std::filesystem::create_directories(folder.at("class/empty"));
  REQUIRE(symlink("../../secret", folder.at("class/ada/02-atomic-add.cu").c_str()) == 0);
  REQUIRE(symlink("../..", folder.at("class/up").c_str()) == 0);
  REQUIRE(mkfifo(folder.at("class/ada/03-interleaved.cu").c_str(), 0600) == 0);
  const auto tree = read_tree(folder.at("class"));
  REQUIRE(tree);
  CHECK(tree->files.at("ada/01-race.cu").bytes == "A");
  CHECK(tree->files.at("ada/01-race.cu").modified);
  CHECK_FALSE(tree->files.at("ada/notes.pdf").read);
  CHECK_FALSE(tree->files.contains("ada/._01-race.cu"));
  CHECK(tree->files.at("ada/02-atomic-add.cu").problem ==
        "is a symbolic link, which is not followed");
  CHECK(tree->files.at("ada/02-atomic-add.cu").bytes.empty());
  CHECK(tree->files.at("ada/03-interleaved.cu").problem == "is a pipe or a device");
  CHECK(tree->files.at("up").problem == "is a symbolic link, which is not followed");
  CHECK(tree->folders.contains("empty"));
  CHECK_FALSE(read_tree(folder.at("nothing")));
  CHECK_FALSE(read_tree(folder.at("secret")));
}

TEST_CASE("archives with every compression are read, as the class and as a student's") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::function<void(archive*)>>> kinds = {
      {"a.tar", [](archive* out) { archive_write_set_format_ustar(out); }},
      {"a.tgz",
       [](archive* out) {
         archive_write_set_format_ustar(out), archive_write_add_filter_gzip(out);
       }},
      {"a.tar.bz2",
       [](archive* out) {
         archive_write_set_format_ustar(out), archive_write_add_filter_bzip2(out);
       }},
      {"a.tar.xz",
       [](archive* out) { archive_write_set_format_ustar(out), archive_write_add_filter_xz(out); }},
      {"a.tar.zst",
       [](archive* out) {
         archive_write_set_format_ustar(out), archive_write_add_filter_zstd(out);
       }},
      {"a.7z", [](archive* out) { archive_write_set_format_7zip(out); }},
      {"a.zip", [](archive* out) { archive_write_set_format_zip(out); }}};
  for (const auto& [name, format] : kinds) {
    CAPTURE(name);
    put(folder.at("class/" + name), packed({{"ada/01-race.cu", "A"}}, format));
    const auto as_class = read_tree(folder.at("class/" + name));
    REQUIRE(as_class);
    CHECK(as_class->files.at("ada/01-race.cu").bytes == "A");
  }
  const auto as_students = read_tree(folder.at("class"));
  REQUIRE(as_students);
  CHECK(as_students->problems.empty());
  for (const auto& [name, format] : kinds)
    CHECK(as_students->files.at(name + "/ada/01-race.cu").bytes == "A");
}

TEST_CASE("an archive gives the same tree with and without a separate process") {
  const TemporaryFolder folder;
  put(folder.at("class/jo.zip"),
      with_flags(zip({{"J\u00fcrgen/01-race.cu", "A"}, {"\u6797/01-race.cu", "L"}}),
                 names_are_utf8));
  put(folder.at("class/ada.zip"), zip({{"J\u00fcrgen/01-race.cu", "A"},
                                       {"in.zip", zip({{"01-race.cu", "I"}})},
                                       {"../out", ""},
                                       {"\xff\n", ""},
                                       {"02-atomic-add.cu", std::string(2 << 20, 'a')}}));
  put(folder.at("class/eve.zip"), "no zip");
  put(folder.at("class/zoe.7z"),
      packed({{"w/01-race.cu", "A"}}, [](archive* out) { archive_write_set_format_7zip(out); }));
  TreeLimits limits;
  const auto apart = read_tree(folder.at("class"), limits);
  limits.apart = false;
  const auto here = read_tree(folder.at("class"), limits);
  REQUIRE(apart);
  REQUIRE(here);
  CHECK(to_message(*apart) == to_message(*here));
  CHECK(apart->files.at("ada.zip/in.zip/01-race.cu").bytes == "I");
  CHECK(apart->files.at("jo.zip/\u6797/01-race.cu").bytes == "L");
  CHECK(apart->files.at("zoe.7z/w/01-race.cu").bytes == "A");
  CHECK(apart->unread.contains("eve.zip"));
}

TEST_CASE("a zip's times are local times, also in a separate process") {
  std::string bytes = zip({{"01-race.cu", "A"}});
  for (std::size_t at = 0; (at = bytes.find("UT", at)) != std::string::npos;)
    bytes.replace(at, 2, "XX");  // remove the field with seconds since 1970
  const TemporaryFolder folder;
  put(folder.at("class/ada.zip"), bytes);
  const char* const before = std::getenv("TZ");
  const std::string kept = before == nullptr ? "" : before;
  std::vector<std::int64_t> times;
  for (const char* zone : {"UTC0", "XXX+5"})
    for (const bool apart : {false, true}) {
      setenv("TZ", zone, 1);
      TreeLimits limits;
      limits.apart = apart;
      const auto tree = read_tree(folder.at("class"), limits);
      REQUIRE(tree);
      times.push_back(tree->files.at("ada.zip/01-race.cu").modified.value_or(-1));
      CHECK(tree->archive_times.contains("ada.zip"));
    }
  before == nullptr ? unsetenv("TZ") : setenv("TZ", kept.c_str(), 1);
  CHECK(times[0] == times[1]);
  CHECK(times[2] == times[3]);
  CHECK(times[2] == times[0] + 5 * 3600);
}

TEST_CASE("an invalid or truncated archive is reported") {
  CHECK(tree_of_archive("a.zip", "not a zip at all").problems.count("a.zip") == 1);
  CHECK(tree_of_archive("a.zip", "not a zip at all").unread.count("a.zip") == 1);
  CHECK(tree_of_archive("a.zip", "").problems.count("a.zip") == 1);
  std::string cut = tar({{"01-race.cu", std::string(100000, 'a')}}, true);
  cut.resize(cut.size() / 2);
  const Tree half = tree_of_archive("a.tar.gz", cut);
  CHECK((half.problems.count("a.tar.gz") == 1 ||
         !half.files.at("a.tar.gz/01-race.cu").problem.empty()));
  const TemporaryFolder folder;
  put(folder.at("class.zip"), "no zip");
  CHECK_FALSE(read_tree(folder.at("class.zip")));
}

TEST_CASE("archives are recognised by their endings in any case, and their names have no ending") {
  for (const char* ending : {".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2",
                             ".tbz2", ".tar.zst", ".7z", ".ZIP", ".Tar.Gz"}) {
    CAPTURE(ending);
    CHECK(is_archive_name(std::string("a") + ending));
    CHECK(without_archive_ending(std::string("a.b") + ending) == "a.b");
    CHECK_FALSE(is_archive_name(ending));
    CHECK(without_archive_ending(ending) == ending);
    CHECK(is_wanted(std::string("a") + ending));
  }
  for (const char* other : {"a.rar", "a.gz", "zip", "azip", "a.zip.cu", ""}) {
    CHECK_FALSE(is_archive_name(other));
    CHECK(without_archive_ending(other) == other);
  }
}

TEST_CASE("kernels, answers and files of platforms are read, by their full names") {
  for (const char* name : {"01-race.cu", "01-race.quiz.json", "quiz.json",
                           "submission_metadata.yml", "onlinetext.html", "ada_onlinetext.html",
                           "ada_7_assignsubmission_onlinetext_x", "notes.txt"})
    CHECK(is_wanted(name));
  for (const char* name :
       {"01-race.cuh", "a.json", "my-quiz.json", "other.yml", "my-submission_metadata.yml",
        "myonlinetext.html", "ada_7_assignsubmission_file_x", "notes.pdf", ""})
    CHECK_FALSE(is_wanted(name));
}

TEST_CASE("an empty file counts as read") {
  const TemporaryFolder folder;
  put(folder.at("01-race.cu"), "");
  const Tree tree = tree_at(folder.path());
  CHECK(tree.files.at("01-race.cu").read);
  CHECK(tree.files.at("01-race.cu").problem.empty());
}

TEST_CASE("extra files of macOS in a folder are ignored") {
  const TemporaryFolder folder;
  for (const char* name :
       {"__MACOSX/01-race.cu", ".DS_Store", "._01-race.cu", "ada/__MACOSX/01-race.cu",
        "ada/.DS_Store", "ada/01-race.cu", "my__MACOSX/x", ".DS_Store2"})
    put(folder.at(name), "x");
  const Tree tree = tree_at(folder.path());
  CHECK(tree.files.size() == 3);
  CHECK(tree.files.contains("ada/01-race.cu"));
  CHECK(tree.folders == std::set<std::string>{"ada", "my__MACOSX"});
}

TEST_CASE("a separate process reads a student's archive, even inside the class's") {
  const TemporaryFolder folder;
  put(folder.at("class/ada.zip"),
      zip({{"01-race.cu", "A"}, {"in.zip", zip({{"01-race.cu", "I"}})}}));
  put(folder.at("class.zip"), zip({{"ada.zip", get(folder.at("class/ada.zip"))}}));
  const auto pages_of_others = [] {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_minflt;
  };
  for (const char* name : {"class", "class.zip"})
    for (const bool apart : {true, false}) {
      TreeLimits limits;
      limits.apart = apart;
      const long before = pages_of_others();
      CHECK(tree_at(folder.at(name), limits).files.at("ada.zip/in.zip/01-race.cu").bytes == "I");
      CHECK((pages_of_others() > before) == apart);
    }
}

TEST_CASE("an archive that its process cannot read is left unread, and other files are read") {
  const TemporaryFolder folder;
  std::vector<Entry> much;  // more than the process may return
  for (int i = 0; i < 130; ++i)
    much.push_back({std::to_string(i) + ".cu", std::string(1 << 20, 'a')});
  put(folder.at("class/eve.tar.zst"), packed(much, [](archive* out) {
        archive_write_set_format_ustar(out), archive_write_add_filter_zstd(out);
      }));
  put(folder.at("class/zoe.zip"), zip({{"01-race.cu", "Z"}}));
  TreeLimits limits;
  limits.kept_bytes_of_archive = 1 << 30;
  const Tree tree = tree_at(folder.at("class"), limits);
  CHECK(tree.problems.at("eve.tar.zst").starts_with("cannot be unpacked: "));
  CHECK(tree.unread == std::set<std::string>{"eve.tar.zst"});
  CHECK(tree.files.size() == 1);
  CHECK(tree.files.at("zoe.zip/01-race.cu").bytes == "Z");
}

TEST_CASE("an unreadable file has a reason, and no descriptor stays open") {
  const TemporaryFolder folder;
  put(folder.at("class/a/b/01-race.cu"), "A");
  put(folder.at("class/no.zip"), "no zip");
  const std::size_t before = open_descriptors();
  const std::string root = folder.at("class");
  const std::string none = "cannot be read: Too many open files";
  const auto with = [&](int more) {
    const FewDescriptors few{more};
    TreeLimits limits;
    limits.apart = false;
    return read_tree(root, limits);
  };
  CHECK(with(0).error().message == root + ": " + none);
  const auto one = with(1), two = with(2), three = with(3);
  CHECK(one->problems.at("a") == none);
  CHECK(one->unread.contains("a"));
  CHECK(one->files.at("no.zip").problem == none);
  CHECK(two->problems.at("a/b") == none);
  CHECK(three->files.at("a/b/01-race.cu").problem == none);
  CHECK_FALSE(three->files.at("a/b/01-race.cu").read);
  CHECK(open_descriptors() == before);

  CHECK(error_of(folder.at("nothing")) ==
        folder.at("nothing") + ": there is no such folder or archive");
  CHECK(error_of(folder.at("class/no.zip/x")) == folder.at("class/no.zip/x") + ": Not a directory");
  CHECK(error_of(folder.at("class/a/b/01-race.cu")) ==
        folder.at("class/a/b/01-race.cu") +
            ": is neither a folder nor an archive (zip, tar, tar.gz, ...)");
  const int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = folder.at("s.zip");
  REQUIRE(name.size() < sizeof address.sun_path);
  std::copy(name.begin(), name.end(), address.sun_path);
  REQUIRE(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  close(socket_);
  CHECK(error_of(name) == name + ": is neither a folder nor an archive (zip, tar, tar.gz, ...)");
  CHECK(open_descriptors() == before);
}

TEST_CASE("a folder that cannot be listed has a reason, and is closed") {
  const TemporaryFolder folder;
  put(folder.at("file"), "");
  const std::size_t before = open_descriptors();
  const Status file =
      TreeBuilder{{}}.add_folder(open(folder.at("file").c_str(), O_RDONLY | O_CLOEXEC), "", 0);
  REQUIRE_FALSE(file);
  CHECK(file.error().message == "cannot be read: Not a directory");
  const Status unlisted = TreeBuilder{{}}.add_folder(
      open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "", 0);
  REQUIRE_FALSE(unlisted);
  CHECK(unlisted.error().message == "cannot be read: Bad file descriptor");
  CHECK(open_descriptors() == before);
}

TEST_CASE("an inner folder that cannot be listed is left unread") {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) ==
          0);  // the child has no network, and still exists
  const std::string at = "/proc/" + std::to_string(child);
  std::error_code why;
  static_cast<void>(std::filesystem::directory_iterator(at + "/net", why));
  const Tree tree = tree_at(at);
  waitpid(child, nullptr, 0);
  if (!why) {
    MESSAGE("skipped: this system lists an unreadable folder");
    return;
  }
  CHECK(tree.problems.at("net") == "cannot be read: " + why.message());
  CHECK(tree.unread.contains("net"));
}

TEST_CASE("a folder that is removed while it is read is empty, even after an earlier failure") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.at("class"));
  const int opened = open(folder.at("class").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::filesystem::remove(folder.at("class"));
  TreeBuilder builder{{}};
  errno = EIO;
  CHECK(builder.add_folder(opened, "", 0));
  CHECK(std::move(builder).tree().files.empty());
}

TEST_CASE("a class is read even if standard input is closed") {
  const TemporaryFolder folder;
  put(folder.at("a/01-race.cu"), "A");
  put(folder.at("02-atomic-add.cu"), "B");
  const int input = fcntl(0, F_DUPFD_CLOEXEC, 3),
            opened = open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close(0);
  const auto whole = read_tree(folder.path());
  TreeBuilder builder{{}};
  const Status below = builder.add_folder(opened, "", 0);
  if (input >= 0) dup2(input, 0), close(input);
  REQUIRE(whole);
  REQUIRE(below);
  const Tree tree = std::move(builder).tree();
  for (const Tree* each : {&*whole, &tree}) {
    CHECK(each->files.at("a/01-race.cu").bytes == "A");
    CHECK(each->files.at("02-atomic-add.cu").bytes == "B");
    CHECK(each->problems.empty());
  }
}
