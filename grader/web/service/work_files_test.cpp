// Saving never replaces a text that the student has not seen.
#include "grader/web/service/work_files.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "grader/files/sha256.h"
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
  CHECK(text.is_stub);
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
  CHECK_FALSE(work.text().is_stub);
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

TEST_CASE("a file in a folder of the lab's name is used instead") {
  Work work;
  const std::string nested = work.folder.path() + "/work/02-sample/stub.cu";
  put(nested, "nested\n");
  CHECK(work.text().path == nested);
  CHECK(work.save("new\n", grader::sha256("nested\n")).is_written);
  CHECK(get(nested) == "new\n");
  CHECK_FALSE(std::filesystem::exists(work.path));
}

TEST_CASE("what cannot be saved is an Error, and changes nothing") {
  Work work;
  const std::string base = work.text().sha256, before = get(work.path);
  for (const std::string& text :
       {std::string{}, std::string("a\0b", 3), std::string(2 << 20, 'x')}) {
    CHECK_FALSE(work.files.save(work.lab, text, base, true));
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
