#!/usr/bin/env python3
"""histolab serve: what it answers, to whom, and that a save is graded as `grade` does."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from serving import Events, Server, processes_of  # noqa: E402
from histolab_program import (SOURCE, Checks, attempts_of, grade_text, histolab,  # noqa: E402
                              temporary_folder, wait_until)

LABS = sorted(path.parent for path in (SOURCE / "labs").glob("*/lab.json"))
check = Checks()


def equal(got, wanted, what):
    check(got == wanted, what, f"got {got!r}", f"not {wanted!r}")


def routes():
    """(method, path, whether it is public) of each route, from the table in the code."""
    table = (SOURCE / "grader" / "web" / "service" / "service.cpp").read_text()
    found = re.findall(r'\{"(GET|POST)", "([^"]+)", &Service::\w+(?:, Needs::(\w+))?\}', table)
    for method, pattern, needs in found:
        path = pattern.replace("/labs/*/hints/*", "/labs/01-race/hints/1")
        path = path.replace("/lab/*", "/lab/01-race").replace("/labs/*", "/labs/01-race")
        yield method, path.replace("/**", "/style.css").replace("*", "1"), needs == "nothing"


def test_who_may_ask(server):
    all_routes = list(routes())
    check(len(all_routes) > 15, "the table of routes was not found")
    for method, path, public in all_routes:
        reply = server.ask(method, path, body="" if method == "POST" else None)
        if path == "/j/1":
            equal(reply.status, 403, "a wrong link")
        elif public:
            check(reply.status in (200, 204, 404), f"{path}: {reply.status}")
        else:
            equal(reply.status, 403, f"{method} {path} without the cookie")
            check("01-race" not in reply.text, f"{path} shows the course to a stranger")
    server.enter()
    for method, path, public in all_routes:
        if method != "POST":
            continue
        for headers in ({"Origin": "http://example.com"}, {"Origin": None},
                        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            reply = server.ask(method, path, body="{}", headers=headers)
            equal(reply.status, 403, f"POST {path} with {headers}")
    for path in ("/api/labs/01-race/text", "/api/labs/01-race/race", "/api/labs/01-race/events"):
        reply = server.ask("GET", path, headers={"Sec-Fetch-Site": "same-site"})
        equal(reply.status, 403, f"GET {path} from another port")
    for host in ("example.com", f"example.com:{server.port}", "127.0.0.1:1"):
        reply = server.ask("GET", "/", headers={"Host": host})
        equal(reply.status, 403, f"Host: {host}")
    for path in ("/nothing", "/lab/99", "/docs/../labs/01-race/solution.cu",
                 "/docs/lab.schema.json", "/docs/%2e%2e/README.md",
                 "/api/labs/01-race/hints/9", "/site/nothing"):
        check(server.get(path).status in (400, 404), f"{path}: {server.get(path).status}")
    equal(server.ask("POST", "/glossary", body="").status, 405, "POST to a page")


def test_pages(server):
    for path in ["/", "/glossary", "/docs/counters.md"] + [f"/lab/{lab.name}" for lab in LABS] + [
            f"/lab/{lab.name}/quiz" for lab in LABS if (lab / "quiz.json").exists()]:
        reply = server.get(path)
        equal(reply.status, 200, path)
        equal(reply.getheader("Content-Type"), "text/html; charset=utf-8", path)
        check("default-src 'none'" in reply.getheader("Content-Security-Policy"), path)
    summary = json.loads((SOURCE / "labs" / "02-atomic-add" / "lab.json").read_text())["summary"]
    check(summary in server.get("/").text, "the list has the labs' summaries")
    check("T1 entirely before T2" in server.get("/lab/01-race").text, "the lecture's scenarios")
    # All links of the pages lead somewhere.
    seen, left = set(), ["/"]
    while left:
        path = left.pop()
        if path in seen:
            continue
        seen.add(path)
        reply = server.get(path)
        equal(reply.status, 200, f"a link to {path}")
        left += [link for link in re.findall(r'(?:href|src)="(/[^"#]*)', reply.text)]
    check(len(seen) > 40, f"only {len(seen)} pages are linked")


def test_verdicts(server):
    """The events of a save, and that the verdict is that of `grade`."""
    for lab in LABS:
        texts = [(lab / "solution.cu").read_text(), (lab / "stub.cu").read_text()]
        texts += [path.read_text() for path in attempts_of(lab)[:1] if path.exists()]
        for text in texts:
            events = server.save(lab.name, text)
            equal(events[0]["event"], "saved", f"{lab.name}: the first event")
            verdict = events[-1]
            equal(verdict["event"], "verdict", f"{lab.name}: the last event")
            check(not verdict["more"], f"{lab.name}: the last verdict")
            graded, _ = grade_text(lab.name, text, *(["--quick"] if verdict["quick"] else []))
            equal(verdict["status"], graded["status"], f"{lab.name}: status")
            equal(verdict["score"], graded["score"], f"{lab.name}: score")
            equal([(each["id"], each["status"], each["score"]) for each in verdict["checks"]],
                        [(each["id"], each["status"], each["score"]) for each in graded["checks"]],
                        f"{lab.name}: checks")


def test_saves(server, folder):
    lab, file = "02-atomic-add", folder / "work" / "02-atomic-add.cu"
    solution = (SOURCE / "labs" / lab / "solution.cu").read_text()
    server.save(lab, solution)
    equal(file.read_text(), solution, "the saved file")
    first = server.text_of(lab)
    equal(first["text"], solution, "the text when a page opens")
    with Events(server.begin("GET", f"/api/labs/{lab}/events")) as events:
        check(events.next("verdict")["passed"], "a page that opens gets the last verdict")
        # An editor saves.
        by_editor = solution + "// by an editor\n"
        file.write_text(by_editor)
        equal(events.next("changed")["text"], by_editor, "a change by an editor")
        verdict = events.next("verdict")
        while verdict["more"] or verdict["sha256"] == first["sha256"]:
            verdict = events.next("verdict")
        check(verdict["passed"], "the editor's text is graded")
        # The page did not see it yet.
        reply = server.save(lab, "my text\n", base=first["sha256"])
        equal([each["event"] for each in reply], ["conflict"], "a save over an unseen text")
        equal(reply[0]["text"], by_editor, "the unseen text")
        equal(file.read_text(), by_editor, "the file after a conflict")
        reply = server.save(lab, "my text\n", base=first["sha256"], force=True)
        equal(reply[0]["event"], "saved", "a save that the student confirmed")
        equal(reply[-1]["status"], "compile_error", "its verdict")
        check(reply[-1]["remarks"][0]["places"], "the place of a compile error")
        equal(events.next("changed")["text"], "my text\n", "the other page learns of it")
        # Editors remove the file for a moment: the stub must not take its place.
        for number in range(20):
            file.rename(file.with_suffix(".old"))
            file.write_text(f"{solution}// {number}\n")
            equal(events.next("changed")["text"], f"{solution}// {number}\n", "a replaced file")
        file.unlink()
        equal(events.next("error")["whose"], "yours", "a removed file")
        check(not file.exists(), "a removed file stays so")
        equal(server.save(lab, solution, base="0")[0]["event"], "saved", "a save writes it again")
    # A newer save ends the grading of an older one.
    base = server.text_of(lab)["sha256"]
    endless = "#include \"histo.h\"\n" + solution.replace("atomicAdd", "for (;;) atomicAdd")
    older = server.begin("POST", f"/api/labs/{lab}/save",
                         {"text": endless.split("\n", 1)[1], "base": base, "force": False})
    json.loads(older.readline())
    check(server.save(lab, solution)[-1]["passed"], "the newer save")
    rest = [json.loads(line)["event"] for line in older.read().splitlines()]
    equal(rest[-1], "superseded", "the older save")
    # A refused save changes nothing.
    for text in ("", "a\0b"):
        reply = server.save(lab, text)
        equal(reply[-1]["event"], "error", f"saving {text!r}")
        equal(file.read_text(), solution, f"the file after {text!r}")
    for body in ("", "[]", "{", '{"text": 1}', b'{"text": "\xff"}'):
        equal(server.ask("POST", f"/api/labs/{lab}/save", body=body).status, 400, body)
    reply = server.ask("POST", f"/api/labs/{lab}/save", body=json.dumps({"text": "x" * (1 << 20)}))
    equal(reply.status, 413, "a text of a mebibyte")
    file.write_bytes(b"// caf\xe9\n")
    reply = server.get(f"/api/labs/{lab}/text")
    check(reply.status == 409 and "UTF-8" in reply.text, "a file in Latin-1")
    file.write_text(solution)
    # A confirmed save is on the disk: a killed server loses nothing.
    equal(server.save(lab, solution + "// last\n")[0]["event"], "saved", "the last save")
    server.stop(signal.SIGKILL)
    equal(file.read_text(), solution + "// last\n", "the file after kill -9")


def test_help(server):
    check("<h3>Hint 1 of 3" in server.get("/api/labs/03-interleaved/hints/1").text, "a hint")
    equal(server.get("/api/labs/03-interleaved/solution").status, 403, "not passed yet")
    solution = (SOURCE / "labs" / "03-interleaved" / "solution.cu").read_text()
    reply = server.get("/api/labs/03-interleaved/solution?anyway=1")
    equal(reply.text, solution, "the solution, asked for twice")
    equal(reply.getheader("Content-Type"), "text/plain; charset=utf-8", "a solution")


def test_quiz(server, folder):
    lab = "03-interleaved"
    page = server.get(f"/lab/{lab}/quiz").text
    question = re.search(r'name="question" value="([\w-]+)"', page)[1]
    reply = server.ask("POST", f"/lab/{lab}/quiz", body=f"question={question}&answer=1",
                       headers={"Content-Type": "application/x-www-form-urlencoded"})
    equal((reply.status, reply.getheader("Location")), (303, f"/lab/{lab}/quiz#{question}"),
                "an answer")
    check((folder / "work" / f"{lab}.quiz.json").exists(), "the file of answers")
    shown = json.loads(histolab("quiz", lab, "--json", cwd=folder).stdout)
    check(shown, "`histolab quiz` reads the same file")
    # An answer that is not understood stays visible, and the stored one stays stored.
    stored = (folder / "work" / f"{lab}.quiz.json").read_text()
    words = re.search(r'name="question" value="([\w-]+)">(?:(?!</form>).)*?type="text"', page, re.S)
    reply = server.ask("POST", f"/lab/{lab}/quiz", body=f"question={words[1]}&answer=banana%3F")
    equal(reply.status, 200, "an answer that is not understood")
    check("banana?" in reply.text, "the page shows the answer that is not understood")
    equal((folder / "work" / f"{lab}.quiz.json").read_text(), stored, "the stored answers")
    reply = server.ask("POST", f"/lab/{lab}/quiz", body="question=nothing&answer=1")
    equal(reply.status, 404, "an unknown question")


def test_launches(server):
    """Live runs and races."""
    with Events(server.begin("POST", "/api/run", {"lab": "01-race", "case": ""})) as run:
        number = run.next("run")["id"]
        equal(server.post(f"/api/run/{number}/say", {"say": "pause"}).status, 200, "pause")
        for bad in ("", "quit\nrun", "step -1", "speed x", "; rm"):
            equal(server.post(f"/api/run/{number}/say", {"say": bad}).status, 400, bad)
        server.post(f"/api/run/{number}/say", {"say": "run"})
        names = [run.next()["event"] for _ in range(2)]
        check("begin" in names, "a live run begins")
        run.next("result")
        run.next("end")
    with Events(server.begin("POST", "/api/run", {"lab": "02-atomic-add", "case": ""})) as run:
        number = run.next("run")["id"]
        server.post(f"/api/run/{number}/say", {"say": "speed 1"})
        run.next("begin")
    # The client has left, so its launch ends.
    check(wait_until(lambda: not processes_of("run 02-atomic-add --stream")), "a left launch")
    equal(server.post("/api/run", {"lab": "02-atomic-add", "case": "none"}).status, 404,
                "an unknown case")
    equal(server.post("/api/run", {"lab": "../x"}).status, 404, "an unknown lab")
    lab = json.loads((SOURCE / "labs" / "02-atomic-add" / "lab.json").read_text())
    case = lab["cases"][0]["id"]
    reply = server.post("/api/run", {"lab": "02-atomic-add", "case": case})
    equal(json.loads(reply.text.splitlines()[-1])["event"], "end", f"a run of case {case}")
    race = json.loads(server.get("/api/race?scenario=2").text)
    equal(race["schema"], "histolab/race/1", "a scenario")
    for query in ("scenario=5", "seed=x", "threads=0", "threads=99999999999"):
        equal(server.get("/api/race?" + query).status, 400, query)
    race = json.loads(server.get("/api/labs/01-race/race?seed=2").text)
    check(race["kernel"].endswith("01-race.cu"), "the race of the student's kernel")
    server.save("01-race", "this does not compile\n")
    reply = server.get("/api/labs/01-race/race")
    equal((reply.status, json.loads(reply.text)["whose"]), (422, "yours"),
                "the race of a kernel that does not compile")


def test_ended_front(server):
    """The process that speaks HTTP is replaced; the pages' cookie still counts."""
    front = processes_of("--parent", str(server.process.pid), "histolab-front")
    equal(len(front), 1, "the front's process")
    check(wait_until(lambda: age_of(front[0]) > 2), "the front's age")
    os.kill(int(front[0]), signal.SIGKILL)
    check(wait_until(lambda: is_answering(server)), "the server answers again")
    equal(server.get("/").status, 200, "the cookie still counts")


def age_of(process):
    """Seconds since the process began."""
    listed = subprocess.run(["ps", "-o", "etimes=", "-p", process], capture_output=True, text=True,
                            check=True)
    return int(listed.stdout)


def is_answering(server):
    try:
        return server.get("/health").status == 200
    except (OSError, http.client.HTTPException):
        return False


def main():
    with temporary_folder() as folder, Server(folder) as server:
        test_who_may_ask(server)
        test_help(server)
        test_quiz(server, folder)
        test_pages(server)
        test_launches(server)
        test_verdicts(server)
        test_ended_front(server)
        test_saves(server, folder)
    with temporary_folder() as folder, Server(folder, "04") as server:
        check(server.link.endswith("?lab=04-privatization"), "the link to a lab")
        reply = server.ask("GET", server.link)
        equal(reply.getheader("Location"), "/lab/04-privatization", "where it leads")
        taken = histolab("serve", "--no-browser", "--port", server.port, cwd=folder)
        equal(taken.returncode, 2, "a port in use")
        check(str(server.port) in taken.stderr, taken.stderr)
    check.finish()


if __name__ == "__main__":
    main()
