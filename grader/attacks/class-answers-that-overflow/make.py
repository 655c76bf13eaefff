KERNEL = ("__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) "
          "{}\n")


def make(folder, traps):
    sheets = {"eve": "[" * 100_000 + "]" * 100_000, "mallory": "{" + '"a":{' * 100_000,
              "trudy": '{"schema": "histolab/answers/1", "answers": {"x": 1e99999, "y": -1e99999, '
                       '"z": "' + "9" * 100_000 + '"}}', "oscar": "\x00\xff",
              "peggy": '{"answers": "<script>\\u001b[2J"}'}
    for student, text in sheets.items():
        (folder / student).mkdir()
        (folder / student / "07-global-privatization.cu").write_text(KERNEL)
        sheet = folder / student / "07-global-privatization.quiz.json"
        sheet.write_text(text, encoding="latin-1")
