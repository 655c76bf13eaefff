// Files that the grader reads (submissions) and writes (reports, work/).
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "grader/files/read_file.h"
#include "grader/files/write_file.h"
#include "grader/lab/lab_kernels.h"
#include "grader/lab/submission.h"
#include "grader/lab/work_folder.h"
#include "grader/testing/sample.h"

using namespace histolab::grader;
using namespace histolab::grader::testing;
namespace fs = std::filesystem;

namespace {

std::string refusal(const std::string& path) {
  const auto read = read_submission(path);
  return read.ok() ? "it was read" : read.error().message;
}

}  // namespace

TEST_CASE("an invalid submission is refused with the reason") {
  const TemporaryFolder folder;
  CHECK(refusal(folder.at("none.cu")) == folder.at("none.cu") + ": there is no such file");
  put(folder.at("empty.cu"), "");
  CHECK(refusal(folder.at("empty.cu")) == folder.at("empty.cu") +
                                              ": is empty; write the kernel, or restore the stub "
                                              "with `histolab reset` and the lab's number");
  put(folder.at("binary.cu"), std::string("ab\nc\0d", 6));
  CHECK(refusal(folder.at("binary.cu")) ==
        folder.at("binary.cu") + ": is a binary file (byte 4 on line 2 is zero); a kernel is text");
  for (const std::string_view mark : {"\xff\xfe", "\xfe\xff"}) {
    put(folder.at("utf16.cu"), std::string(mark) + std::string("/\0/\0", 4));
    CHECK(refusal(folder.at("utf16.cu")) ==
          folder.at("utf16.cu") + ": is UTF-16; save it as UTF-8");
  }
  CHECK(refusal(folder.path()).ends_with("is a folder; a kernel is a file"));
  REQUIRE(mkfifo(folder.at("pipe.cu").c_str(), 0600) == 0);
  CHECK(
      refusal(folder.at("pipe.cu")).ends_with("is a pipe or a device; a kernel is a regular file"));
  CHECK(refusal("/dev/zero").ends_with("is a pipe or a device; a kernel is a regular file"));
  put(folder.at("large.cu"), std::string(max_source_bytes + 1, ' '));
  CHECK(refusal(folder.at("large.cu"))
            .ends_with("is 1 048 577 bytes long; the limit for a kernel is 1 048 576"));
  fs::resize_file(folder.at("large.cu"),
                  100 << 20);  // sparse: refused by its size, not by reading it
  CHECK(refusal(folder.at("large.cu"))
            .ends_with("is 104 857 600 bytes long; the limit for a kernel is 1 048 576"));
  put(folder.at("secret.cu"), "int x;");
  REQUIRE(chmod(folder.at("secret.cu").c_str(), 0) == 0);
  if (geteuid() != 0)
    CHECK(refusal(folder.at("secret.cu")).find("permission denied") != std::string::npos);
  put(folder.at("full.cu"), std::string(max_source_bytes, ' '));
  CHECK(read_submission(folder.at("full.cu")).ok());
}

TEST_CASE("a file longer than its stated size is read to its end or to the limit") {
  // Its stated size is 0.
  const auto read = read_text_file("/proc/self/status", "text");
  REQUIRE(read.ok());
  CHECK(read->starts_with("Name:"));
  CHECK(read->find("Threads:") != std::string::npos);
  CHECK(read->ends_with("\n"));
  CHECK(read_text_file("/proc/self/status", "text", 100).error().message ==
        "/proc/self/status: is 101 bytes long; the limit for a text is 100");
}

TEST_CASE("a submission is LAB.cu or LAB/stub.cu") {
  const TemporaryFolder folder;
  put(folder.at("02-sample.cu"), "flat");
  put(folder.at("03-other/stub.cu"), "nested");
  put(folder.at("04-both.cu"), "a");
  put(folder.at("04-both/stub.cu"), "b");
  CHECK((*find_submission(folder.path(), "02-sample", Links::refused))->text == "flat");
  CHECK((*find_submission(folder.path(), "03-other", Links::refused))->path ==
        folder.at("03-other/stub.cu"));
  CHECK_FALSE(find_submission(folder.path(), "05-none", Links::refused)->has_value());
  CHECK(find_submission(folder.path(), "04-both", Links::refused)
            .error()
            .message.find("remove one of them") != std::string::npos);
  CHECK_FALSE(find_submission(folder.at("nowhere"), "02-sample", Links::refused).ok());
}

TEST_CASE("symbolic links below a submitted folder are not followed") {
  const TemporaryFolder outside, folder;
  put(outside.at("secret"), "the secret");
  put(outside.at("lab/stub.cu"), "the secret");
  const auto link = [&](const std::string& target, const std::string& name) {
    fs::create_symlink(target, folder.at(name));
  };
  put(folder.at("04-own.cu"), "own");
  fs::create_directory(folder.at("03-file"));
  link(outside.at("secret"), "01-flat.cu");
  link(outside.at("lab"), "02-folder");
  link(outside.at("secret"), "03-file/stub.cu");
  link("04-own.cu", "05-inner.cu");
  link("/no/such/file", "06-dangling.cu");
  link(outside.at(""), "07-empty");
  for (const char* lab :
       {"01-flat", "02-folder", "03-file", "05-inner", "06-dangling", "07-empty"}) {
    CAPTURE(lab);
    const auto found = find_submission(folder.path(), lab, Links::refused);
    REQUIRE_FALSE(found);
    CHECK(found.error().message.find("symbolic links in a submitted folder") != std::string::npos);
    CHECK(found.error().message.find("secret") == std::string::npos);
  }
  CHECK((*find_submission(folder.path(), "01-flat", Links::followed))->text == "the secret");
  CHECK((*find_submission(folder.path(), "02-folder", Links::followed))->text == "the secret");
  // The folder that the user names may itself be a link.
  link(folder.path(), "itself");
  CHECK((*find_submission(folder.at("itself"), "04-own", Links::refused))->text == "own");
  CHECK((*find_submission(folder.at("itself/"), "04-own", Links::refused))->text == "own");
}

TEST_CASE("a report replaces the old one completely or not at all") {
  const TemporaryFolder folder;
  const std::string path = folder.at("report.json");
  REQUIRE(write_file(path, "one").ok());
  REQUIRE(write_file(path, "two").ok());
  CHECK(get(path) == "two");
  REQUIRE(chmod(path.c_str(), 0640) == 0);
  REQUIRE(write_file(path, "three").ok());
  struct stat info {};
  REQUIRE(stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
  REQUIRE(symlink("report.json", folder.at("link").c_str()) == 0);
  REQUIRE(write_file(folder.at("link"), "four").ok());
  CHECK(fs::is_symlink(folder.at("link")));
  CHECK(get(path) == "four");

  CHECK(write_file(folder.at("none/report.json"), "x").error().message.ends_with("does not exist"));
  CHECK(write_file(folder.path(), "x").error().message.ends_with("is a folder; name a file in it"));
  CHECK(write_file("/dev/full", "x").error().message.find("the disk is full") != std::string::npos);
  CHECK(fs::is_character_file("/dev/full"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator{folder.path()}) ++files;
  // No temporary file is left.
  CHECK(files == 2);
}

TEST_CASE("work/ never loses a student's file") {
  const TemporaryFolder folder;
  put_sample_lab(folder.at("labs"));
  const auto lab = load_lab(folder.at("labs/02-sample"));
  REQUIRE(lab.ok());
  const std::string work = folder.at("work");
  const std::string file = work_path(*lab, work);
  CHECK(*start_lab(*lab, work));
  CHECK(get(file) == get(lab->stub_path()));
  put(file, "mine");
  CHECK_FALSE(*start_lab(*lab, work));
  CHECK(get(file) == "mine");
  CHECK(*reset_lab(*lab, work) == file + ".~1~");
  put(file, "mine again");
  CHECK(*reset_lab(*lab, work) == file + ".~2~");
  CHECK(get(file) == get(lab->stub_path()));
  CHECK(get(file + ".~1~") == "mine");
  CHECK(get(file + ".~2~") == "mine again");
}

TEST_CASE(
    "kernels of a lab: stub, solution, attempts by name, and the student's own if it exists") {
  const TemporaryFolder labs, student;
  put_sample_lab(labs.path());
  const auto lab = load_lab(labs.at("02-sample"));
  REQUIRE(lab.ok());
  const auto listed = [&] {
    std::vector<std::string> lines;
    for (const LabKernel& kernel : kernels_of(*lab, student.path())) {
      CHECK(fs::exists(kernel.path));
      lines.push_back(std::string(name(kernel.role)) + " " + kernel.name);
    }
    return lines;
  };
  const std::vector<std::string> of_the_lab = {"stub stub", "solution solution", "attempt racy",
                                               "attempt strided", "attempt typo"};
  auto lines = listed();
  CHECK(lines == of_the_lab);
  put(student.at("02-sample.cu"), "mine");
  lines.push_back("work work");
  CHECK(listed() == lines);
}
