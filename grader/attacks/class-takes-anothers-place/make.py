import zipfile

EMPTY = "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) {}\n"
DESCRIBED = """---
eve:
  :submitters:
  - :name: ada
    :sid: '1'
    :email: ada@example.edu
ada:
  :submitters:
  - :name: eve
    :sid: '2'
    :email: eve@example.edu
"""


def make(folder, traps):
    with zipfile.ZipFile(folder / "eve.zip", "w") as archive:
        for name in ("ada/02-atomic-add.cu", "zoe/02-atomic-add.cu", "eve/ada/02-atomic-add.cu",
                     "ada_02-atomic-add.cu", "zoe_4001_9001_02-atomic-add.cu"):
            archive.writestr(name, EMPTY)
        archive.writestr("submission_metadata.yml", DESCRIBED)
    (folder / "mallory").mkdir()
    (folder / "mallory" / "submission_metadata.yml").write_text(DESCRIBED)
    (folder / "mallory" / "ada_02-atomic-add.cu").write_text(EMPTY)
