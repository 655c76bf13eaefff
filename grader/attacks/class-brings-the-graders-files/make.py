import sqlite3


def make(folder, traps):
    eve = folder / "eve"
    (eve / "labs" / "02-atomic-add").mkdir(parents=True)
    (eve / "02-atomic-add.cu").write_text(
        "__global__ void histogram(const char* data, unsigned int length, unsigned int* histo) "
        "{}\n")
    for name in ("report.json", "rubric.json", "labs/02-atomic-add/lab.json", "lab.json",
                 "expect.json"):
        (eve / name).write_text('{"schema": "histolab/report/1", "status": "passed", "score": 10, '
                                '"max_score": 10, "checks": []}\n')
    for name in ("cuda_shim.h", "kernel.o", "stdio.h", "cuda_runtime.h"):
        (eve / name).write_text("#error mine\n")
    journal = sqlite3.connect(eve / "journal.sqlite")
    journal.execute("CREATE TABLE result(student, lab, score)")
    journal.execute("INSERT INTO result VALUES('eve', '02-atomic-add', 10)")
    journal.commit()
    journal.close()
