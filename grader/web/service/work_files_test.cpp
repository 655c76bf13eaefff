// Saving never replaces a text that the student has not seen.
#include "grader/web/service/work_files.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/files/sha256.h"
#include "grader/files/write_file.h"
#include "grader/testing/files.h"
#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::grader::testing;
using histolab::web::KernelText;
using histolab::web::WorkFiles;

namespace {

struct Work {
  TemporaryFolder folder;
  grader::LabSpec lab;
  WorkFiles files{folder.path() + "/work"};
  std::string path = folder.path() + "/work/02-sample.cu";
  Work() {
    put_sample_lab(folder.path() + "/labs");
    lab = sample_lab_in(folder.path() + "/labs");
  }
  KernelText text() {
    Result<KernelText> found = files.text(lab);
    REQUIRE(found);
    return *found;
  }
  WorkFiles::Saved save(const std::string& text, const std::string& base, bool force = false) {
    const Result<WorkFiles::Saved> saved = files.save(lab, text, base, force);
    REQUIRE(saved);
    return *saved;
  }
};

}  // namespace

TEST_CASE("a missing file is made from the stub") {
  Work work;
  const KernelText text = work.text();
  CHECK(text.path == work.path);
  CHECK(text.text == get(work.lab.stub_path()));
  CHECK(text.sha256 == grader::sha256(text.text));
}

TEST_CASE("a save replaces the text that it began from") {
  Work work;
  const WorkFiles::Saved saved = work.save("new\n", work.text().sha256);
  CHECK(saved.is_written);
  CHECK(get(work.path) == "new\n");
  CHECK(saved.there.sha256 == grader::sha256("new\n"));
}

TEST_CASE("a save does not replace a text that an editor has written meanwhile") {
  Work work;
  const std::string base = work.text().sha256;
  put(work.path, "by an editor\n");
  const WorkFiles::Saved saved = work.save("new\n", base);
  CHECK_FALSE(saved.is_written);
  CHECK(saved.there.text == "by an editor\n");
  CHECK(get(work.path) == "by an editor\n");
  CHECK(work.save("by an editor\n", base).is_written);  // the same text: nothing is lost
  CHECK(work.save("new\n", base, true).is_written);
  CHECK(get(work.path) == "new\n");
}

TEST_CASE("a missing file is found missing, and a save writes it again") {
  Work work;
  const std::string base = work.text().sha256;
  std::filesystem::remove(work.path);
  const auto found = work.files.find(work.lab);
  REQUIRE(found);
  CHECK_FALSE(*found);
  CHECK_FALSE(std::filesystem::exists(work.path));
  CHECK(work.save("new\n", base).is_written);
  CHECK(get(work.path) == "new\n");
}

TEST_CASE("making the file from the stub replaces no file that came meanwhile") {
  Work work;
  put(work.path, "by an editor\n");
  const Result<bool> made = grader::write_new_file(work.path, "stub\n");
  REQUIRE(made);
  CHECK_FALSE(*made);
  CHECK(get(work.path) == "by an editor\n");
}

TEST_CASE("a save does not replace a text that arrives while it is being written") {
  Work work;
  put(work.path, "old\n");
  const Result<bool> written = grader::write_file_if(work.path, "new\n", [&] {
    put(work.path, "by an editor\n");
    return get(work.path) == "old\n";
  });
  REQUIRE(written);
  CHECK_FALSE(*written);
  CHECK(get(work.path) == "by an editor\n");
  CHECK(std::distance(std::filesystem::directory_iterator(work.files.folder()), {}) == 1);
}

TEST_CASE("a file in a folder of the lab's name is used instead") {
  Work work;
  const std::string nested = work.folder.path() + "/work/02-sample/stub.cu";
  put(nested, "nested\n");
  CHECK(work.text().path == nested);
  CHECK(work.save("new\n", grader::sha256("nested\n")).is_written);
  CHECK(get(nested) == "new\n");
  CHECK_FALSE(std::filesystem::exists(work.path));
}

TEST_CASE("a text that no kernel has is refused, and changes nothing") {
  Work work;
  const std::string base = work.text().sha256, before = get(work.path);
  for (const std::string& text :
       {std::string{}, std::string("a\0b", 3), std::string(web::most_text_bytes + 1, 'x')}) {
    const WorkFiles::Saved saved = work.save(text, base, true);
    CHECK_FALSE(saved.is_written);
    CHECK_FALSE(saved.refused.empty());
    CHECK(get(work.path) == before);
  }
}

TEST_CASE("a file that a browser would change is an Error") {
  Work work;
  put(work.path, "// caf\xe9\n");
  const Result<KernelText> text = work.files.text(work.lab);
  REQUIRE_FALSE(text);
  CHECK(text.error().message.find("UTF-8") != std::string::npos);
  CHECK_FALSE(work.files.save(work.lab, "new\n", "", true));
  CHECK(get(work.path) == "// caf\xe9\n");
}
