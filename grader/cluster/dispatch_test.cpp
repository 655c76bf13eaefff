#include "grader/cluster/dispatch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "grader/testing/sample.h"

using namespace histolab;
using namespace histolab::cluster;
using namespace std::chrono_literals;
using Kind = TaskState::Kind;

namespace {

// A cluster whose time the test moves. What a task does, `behaviour` decides when it begins.
class FakeCluster final : public Scheduler {
 public:
  enum class Deed { works, fails, works_half, vanishes, node_dies_and_it_runs_again, runs_twice, writes_late, lacks_something, has_no_spool, is_cancelled, is_completing, hangs, cannot_begin };
  struct FakeTask {
    std::string array;
    std::size_t number = 0, index = 0;
    TaskState state;
    int begun = 0;  // so often
  };

  explicit FakeCluster(const Spool& spool, const Assignment& assignment) : spool_(spool), assignment_(assignment) {}
  std::function<Deed(const FakeTask& task, const Chunk& chunk)> behaviour = [](const FakeTask&, const Chunk&) { return Deed::works; };
  std::function<std::string()> refuses = [] { return std::string{}; };  // a submission, with these words
  std::vector<std::string> nodes = {"node1", "node2", "node3"};
  std::size_t slots = 4;
  Limits of{.tasks_of_array = 10, .jobs = 1000};
  bool silent = false, takes_though_it_says_no = false, ignores_exclusion = false;
  std::size_t most_jobs = 1'000'000;  // that a site allows somebody; a submission of more is refused
  std::vector<ArrayRequest> requests;
  std::size_t most_at_once = 0, cancelled = 0;

  Result<Limits> limits() override { return of; }
  Status submit(const ArrayRequest& request) override {
    if (silent) return Error{"Unable to contact slurm controller"};
    const std::string no = alive() + request.tasks > most_jobs ? "Job violates accounting/QOS policy (job submit limit)" : refuses();
    if (!no.empty() && !takes_though_it_says_no) return Error{no};
    requests.push_back(request);
    for (std::size_t i = 0; i < request.tasks; ++i) {
      FakeTask& task = tasks_.emplace_back();
      task.state.job = request.name + "_" + std::to_string(i);
      task.array = request.name, task.number = std::stoul(request.arguments.front()), task.index = i;
      task.state.array = request.name, task.state.index = i, task.state.word = "PENDING";
    }
    most_at_once = std::max(most_at_once, alive());
    return no.empty() ? Status{Done{}} : Status{Error{no}};
  }
  Result<std::vector<TaskState>> tasks(const std::vector<std::string>& arrays) override {
    if (silent) return Error{"Unable to contact slurm controller"};
    std::vector<TaskState> states;
    for (const FakeTask& task : tasks_)
      if (std::ranges::count(arrays, task.array) > 0 && task.state.word != "GONE") states.push_back(task.state);
    return states;
  }
  Status cancel(const std::vector<std::string>& arrays) override {
    for (FakeTask& task : tasks_)
      if (std::ranges::count(arrays, task.array) > 0 && task.state.kind != Kind::ended) task.state.kind = Kind::ended, task.state.word = "CANCELLED", ++cancelled;
    return Done{};
  }
  Status cancel_jobs(const std::vector<std::string>& jobs) override {
    for (FakeTask& task : tasks_)
      if (std::ranges::count(jobs, task.state.job) > 0 && task.state.kind != Kind::ended) task.state.kind = Kind::ended, task.state.word = "CANCELLED", ++cancelled;
    return Done{};
  }
  // Somebody holds what waits, and lets it go.
  void hold(bool held, const std::string& reason = "JobHeldAdmin") {
    for (FakeTask& task : tasks_)
      if (task.state.kind == (held ? Kind::waiting : Kind::stuck)) task.state.kind = held ? Kind::stuck : Kind::waiting, task.state.reason = held ? reason : "Priority";
  }
  [[nodiscard]] std::size_t alive() const {
    return static_cast<std::size_t>(std::ranges::count_if(tasks_, [](const FakeTask& task) { return task.state.kind != Kind::ended; }));
  }

  // One second: what runs ends, what waits begins; what is late is written.
  void step() {
    for (auto& write : std::exchange(late_, {})) write();
    for (FakeTask& task : tasks_)
      if (task.state.kind == Kind::running && !hanging_.contains(&task)) finish(task);
    std::size_t free = slots;
    for (FakeTask& task : tasks_) {
      if (task.state.kind == Kind::running) free = free > 0 ? free - 1 : 0;
    }
    for (FakeTask& task : tasks_) {
      if (task.state.kind != Kind::waiting || free == 0) continue;
      --free;
      begin(task);
    }
  }

 private:
  void begin(FakeTask& task) {
    const auto request = std::ranges::find(requests, task.array, &ArrayRequest::name);
    std::vector<std::string> allowed;
    for (const std::string& node : nodes)
      if (ignores_exclusion || std::ranges::count(request->excluded, node) == 0) allowed.push_back(node);
    if (allowed.empty()) return;
    task.state.kind = Kind::running, task.state.word = "RUNNING", task.state.node = allowed[turn_++ % allowed.size()];
    ++task.begun;
  }
  void finish(FakeTask& task) {
    const Chunk chunk = *spool_.chunk(spool_.array(task.number)->chunks.at(task.index));
    const Deed deed = behaviour(task, chunk);
    task.state.kind = Kind::ended, task.state.word = "COMPLETED";
    const FakeTask now = task;
    switch (deed) {
      case Deed::works: return write(now, chunk, chunk.items.size());
      case Deed::fails: task.state.word = "FAILED", task.state.exit_code = 1; return;
      case Deed::works_half: task.state.word = "TIMEOUT"; return write(now, chunk, chunk.items.size() / 2);
      case Deed::vanishes: task.state.word = "GONE"; return;
      case Deed::node_dies_and_it_runs_again: task.state.kind = Kind::waiting, task.state.word = "PENDING", task.state.node.clear(); return;
      case Deed::runs_twice: write(now, chunk, chunk.items.size()); return write(now, chunk, chunk.items.size());
      case Deed::writes_late: late_.push_back([this, now, chunk] { write(now, chunk, chunk.items.size()); }); return;
      case Deed::lacks_something: task.state.word = "FAILED"; return write(now, chunk, 0, "it has no sandbox");
      case Deed::has_no_spool: task.state.word = "FAILED", task.state.exit_code = no_spool; return;
      case Deed::is_completing: task.state.kind = Kind::running, task.state.word = "COMPLETING", hanging_.insert(&task); return;
      case Deed::is_cancelled: task.state.word = "CANCELLED"; return;
      case Deed::cannot_begin: task.state.word = "PENDING", task.state.reason = "launch failed requeued held", task.state.node.clear(); return;
      case Deed::hangs: task.state.kind = Kind::running, task.state.word = "RUNNING", hanging_.insert(&task); return;
    }
  }
  void write(const FakeTask& task, const Chunk& chunk, std::size_t items, const std::string& obstacle = {}) {
    Part part;
    part.spool = assignment_.id, part.array = task.number, part.index = task.index, part.complete = obstacle.empty() && items == chunk.items.size(), part.failure = obstacle;
    part.node.name = task.state.node;
    if (!obstacle.empty()) part.node.obstacles = {obstacle};
    for (std::size_t i = 0; i < items; ++i) {
      Found found{chunk.items[i].grading, {}};
      if (chunk.phase == Phase::measure) found.measured = "times of " + chunk.items[i].grading;
      else found.outcome = {"passed", 1, chunk.items[i].measured, 0.1, part.node.name};
      part.found.push_back(std::move(found));
    }
    REQUIRE(spool_.put(part, std::to_string(++written_)));
  }

  const Spool& spool_;
  const Assignment& assignment_;
  std::deque<FakeTask> tasks_;
  std::set<const FakeTask*> hanging_;
  std::vector<std::function<void()>> late_;
  std::size_t turn_ = 0, written_ = 0;
};
using Deed = FakeCluster::Deed;

struct Fixture {
  Fixture() {
    assignment = *spool.make({});
    options.beat = 1s, options.ask = 1s, options.grace = 5s;
    options.rest = [this](std::chrono::milliseconds time) {
      clock += time;
      slurm.step();
      if (each_second) each_second();
      REQUIRE(++beats < 5000);  // it goes on for ever
    };
    options.now = [this] { return clock; };
    events.found = [this](const Part& part) -> Status {
      for (const Found& each : part.found)
        if (!each.outcome.status.empty()) ++found[each.grading], reports[each.grading] = each.outcome.report, all_reports[each.grading].insert(each.outcome.report), nodes.insert(part.node.name);
      return Done{};
    };
    events.given_up = [this](const std::vector<std::string>& gradings, int tries, const Failure& failure) -> Status {
      for (const std::string& each : gradings) given_up[each] = failure.why;
      most_tries = std::max(most_tries, tries);
      return Done{};
    };
    events.tell = [this](const std::string& text) { told += text + "\n"; };
  }
  Dispatch dispatch() { return {slurm, spool, assignment, options, events}; }
  // `count` works in chunks of `of`.
  void add(Dispatch& to, std::size_t count, std::size_t of, Phase phase = Phase::whole) {
    for (std::size_t begin = 0; begin < count; begin += of) {
      Chunk chunk{.phase = phase, .items = {}};
      for (std::size_t i = begin; i < std::min(begin + of, count); ++i) chunk.items.push_back({.grading = name_of(i), .lab = "01-race"});
      REQUIRE(to.add(std::move(chunk)));
    }
  }
  static std::string name_of(std::size_t i) { return "work" + std::to_string(i); }
  void run_to_the_end(Dispatch& dispatch) {
    const Result<Dispatch::Ending> ended = dispatch.run();
    REQUIRE_MESSAGE(ended.ok(), ended.error().message);
    CHECK((*ended == Dispatch::Ending::settled));
    CHECK(spool.parts()->empty());
  }

  grader::testing::TemporaryFolder folder;
  Spool spool{folder.at("slurm")};
  Assignment assignment;
  DispatchOptions options;
  DispatchEvents events;
  FakeCluster slurm{spool, assignment};
  std::chrono::steady_clock::time_point clock{};
  std::function<void()> each_second;
  std::map<std::string, int> found;
  std::map<std::string, std::string> reports, given_up;
  std::map<std::string, std::set<std::string>> all_reports;
  std::set<std::string> nodes;
  std::string told;
  int most_tries = 0, beats = 0;
};

}  // namespace

TEST_CASE("every work is found once, in arrays no larger than the scheduler takes") {
  Fixture fixture;
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 103, 4);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.found.size() == 103);
  for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  CHECK(fixture.slurm.requests.size() == 3);  // 26 tasks, ten in an array
  for (const ArrayRequest& request : fixture.slurm.requests) CHECK(request.tasks <= 10);
  CHECK(dispatch.toll().tasks == 26);
  CHECK(dispatch.toll().nodes.size() == 3);
}

TEST_CASE("no more tasks are in the scheduler's hands than were allowed, and few arrays do") {
  Fixture fixture;
  fixture.options.most_tasks = 8;
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 100, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 100);
  CHECK(fixture.slurm.most_at_once <= 8);
  CHECK(fixture.slurm.requests.size() <= 50);
}

TEST_CASE("a task that fails is submitted again, three times, then its works alone are given up") {
  Fixture fixture;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
    return std::ranges::any_of(chunk.items, [](const Item& item) { return item.grading == "work5"; }) ? Deed::fails : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 32, 16);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.given_up.size() == 1);  // cut smaller each time, and at last alone
  CHECK(fixture.given_up.contains("work5"));
  CHECK(fixture.given_up.at("work5").find("it ended with exit code 1") != std::string::npos);
  CHECK(fixture.most_tries == 4);
  CHECK(fixture.found.size() == 31);
  CHECK(fixture.told.empty());  // no node is to blame
}

TEST_CASE("a task whose time runs out has not failed while it finds something") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk& chunk) { return chunk.items.size() > 1 ? Deed::works_half : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 200, 100);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 200);
  CHECK(fixture.given_up.empty());
}

TEST_CASE("tasks that vanish, run again after their node died, run twice or write late: every work is found") {
  for (const Deed deed : {Deed::vanishes, Deed::node_dies_and_it_runs_again, Deed::runs_twice, Deed::writes_late}) {
    CAPTURE(static_cast<int>(deed));
    Fixture fixture;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) { return task.index % 3 == 1 && task.begun == 1 && task.number < 3 ? deed : Deed::works; };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 60, 3);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 60);
    CHECK(fixture.given_up.empty());
    const bool twice = std::ranges::any_of(fixture.found, [](const auto& each) { return each.second > 1; });
    CHECK(twice == (deed == Deed::runs_twice));
  }
}

TEST_CASE("a shared directory that shows a file late costs no second run") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::writes_late; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 2);
  fixture.run_to_the_end(dispatch);
  CHECK(dispatch.toll().submitted_again == 0);
  CHECK(fixture.found.size() == 20);
}

TEST_CASE("a node that lacks something is left out from then on") {
  for (const Deed deed : {Deed::lacks_something, Deed::has_no_spool}) {
    Fixture fixture;
    int on_bad_node = 0;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) { return task.state.node == "node2" ? (++on_bad_node, deed) : Deed::works; };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 40, 1);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 40);
    CHECK(fixture.given_up.empty());
    CHECK(fixture.told.find("node2 cannot grade and is left out from now on") != std::string::npos);
    CHECK(fixture.told.find("node2", fixture.told.find("node2") + 1) == std::string::npos);  // said once
    CHECK(on_bad_node <= 14);  // those that were submitted before anybody knew
    CHECK(fixture.nodes == std::set<std::string>{"node1", "node3"});
  }
}

TEST_CASE("a node that fails fast, without a word, does not take the class with it") {
  Fixture fixture;
  int on_bad_node = 0;
  fixture.slurm.of.tasks_of_array = 100;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) { return task.state.node == "node2" ? (++on_bad_node, Deed::fails) : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 90, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 90);
  CHECK(fixture.given_up.empty());
  CHECK(fixture.told.find("node2 cannot grade and is left out from now on: 3 tasks in a row gave nothing there") != std::string::npos);
}

TEST_CASE("a node that has graded is not left out because it lacks something for a moment") {
  Fixture fixture;
  int hiccups = 0;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk&) { return fixture.found.size() > 10 && hiccups < 2 ? (++hiccups, Deed::lacks_something) : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 40, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 40);
  CHECK(fixture.told.empty());
}

TEST_CASE("a node that is left out and gets tasks all the same costs tries: nothing goes on for ever") {
  Fixture fixture;
  fixture.slurm.nodes = {"node2"};
  fixture.slurm.ignores_exclusion = true;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::lacks_something; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 6, 3);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.given_up.size() == 6);
}

TEST_CASE("nodes that somebody excludes are excluded together with those that were left out") {
  Fixture fixture;
  fixture.options.excluded = {"node1"};
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk&) { return task.state.node == "node2" ? Deed::lacks_something : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 30);
  CHECK(fixture.nodes == std::set<std::string>{"node3"});
  CHECK(fixture.slurm.requests.back().excluded == std::vector<std::string>{"node1", "node2"});
}

TEST_CASE("a shared directory that is away from nodes that have graded costs no try, however long") {
  Fixture fixture;
  fixture.slurm.slots = 6;
  fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk&) { return fixture.beats > 5 && fixture.beats < 900 ? Deed::has_no_spool : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 200, 5);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 200);
  CHECK(fixture.given_up.empty());
  CHECK(fixture.told.find("node1 has graded, and does not find") != std::string::npos);
  CHECK(std::ranges::count(fixture.told, '\n') <= 6);
  for (const ArrayRequest& request : fixture.slurm.requests)
    for (const Array array = *fixture.spool.array(std::stoul(request.arguments.front())); const std::size_t number : array.chunks) CHECK(fixture.spool.chunk(number)->tries == 0);
}

TEST_CASE("constraints that nothing meets any more end it where nodes were left out, and are waited for where none was") {
  for (const bool one_is_bad : {false, true}) {
    CAPTURE(one_is_bad);
    Fixture fixture;
    fixture.slurm.slots = 1;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask& task, const Chunk&) { return one_is_bad && task.state.node == "node2" ? Deed::lacks_something : Deed::works; };
    fixture.each_second = [&] {
      if (fixture.beats == 8) fixture.slurm.hold(true, "BadConstraints");
      if (fixture.beats == 60) fixture.slurm.hold(false);
    };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 30, 1);
    const Result<Dispatch::Ending> ended = dispatch.run();
    CHECK(ended.ok() != one_is_bad);
    if (!ended) CHECK(ended.error().message.find("no node is left that can grade") != std::string::npos);
    else CHECK(fixture.found.size() == 30);
  }
}

TEST_CASE("where a site allows few tasks, arrays become small enough, and nothing is given up") {
  for (const std::size_t most : {std::size_t{1}, std::size_t{5}, std::size_t{40}}) {
    CAPTURE(most);
    Fixture fixture;
    fixture.slurm.most_jobs = most;
    fixture.slurm.of = {.tasks_of_array = 100'001, .jobs = 12'000};
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 400, 1);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 400);
  }
}

TEST_CASE("a scheduler without arrays is told of, in its own words") {
  Fixture fixture;
  fixture.slurm.of.tasks_of_array = 0;
  fixture.slurm.refuses = [] { return std::string{"Invalid job array specification"}; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 3, 1);
  CHECK(dispatch.run().error().message.find("Invalid job array specification") != std::string::npos);
}

TEST_CASE("tasks that wait for long are told of, once") {
  Fixture fixture;
  fixture.slurm.slots = 0;
  fixture.each_second = [&] { fixture.slurm.slots = fixture.beats > 400 ? 4 : 0; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 3, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.told.find("no task has run for 5 minutes: 3 tasks wait") == 0);
  CHECK(fixture.told.find("no task", 10) == std::string::npos);
}

TEST_CASE("tasks that somebody holds are told of soon, though others run, and waited for") {
  Fixture fixture;
  fixture.slurm.slots = 1;
  fixture.each_second = [&] {
    if (fixture.beats == 3) fixture.slurm.hold(true);
    if (fixture.beats != 400) return;
    CHECK(fixture.found.size() < 30);
    fixture.slurm.hold(false);
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.told.find("tasks cannot begin until somebody changes that, says Slurm (JobHeldAdmin)") != std::string::npos);
  CHECK(std::ranges::count(fixture.told, '\n') == 1);
  CHECK(fixture.found.size() == 30);
  CHECK(fixture.slurm.requests.size() == 3);
}

TEST_CASE("a task that its node could not begin is submitted again, and given up like any other") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk& chunk) {
    return chunk.items.front().grading == "work7" || (task.number == 1 && task.index < 4) ? Deed::cannot_begin : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 19);
  CHECK(fixture.given_up == std::map<std::string, std::string>{{"work7", "Slurm: a node could not begin it (launch failed requeued held)"}});
}

TEST_CASE("what somebody else cancels is not submitted again") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk&) { return task.index == 2 ? Deed::is_cancelled : Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 30, 3);
  fixture.run_to_the_end(dispatch);
  CHECK(dispatch.cancelled_by_others() == 3);
  CHECK(fixture.found.size() == 27);
  CHECK(fixture.slurm.requests.size() == 1);
}

TEST_CASE("a submission that is refused for a while is made again; one that was taken in spite of the error is not") {
  Fixture fixture;
  int refused = 0;
  fixture.slurm.refuses = [&] { return ++refused <= 3 ? std::string{"Job violates accounting/QOS policy (job submit limit)"} : std::string{}; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 10, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 10);

  Fixture other;
  int answers = 0;
  other.slurm.refuses = [&] { return ++answers == 1 ? std::string{"Socket timed out on send/recv operation"} : std::string{}; };
  other.slurm.takes_though_it_says_no = true;
  Dispatch second = other.dispatch();
  other.add(second, 10, 1);
  other.run_to_the_end(second);
  CHECK(other.found.size() == 10);
  for (const auto& [work, times] : other.found) CHECK_MESSAGE(times == 1, work);
  CHECK(other.slurm.requests.size() == 1);
}

TEST_CASE("what is never taken ends it, in the scheduler's words") {
  Fixture fixture;
  fixture.slurm.refuses = [] { return std::string{"Invalid partition name specified"}; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 10, 1);
  const Result<Dispatch::Ending> ended = dispatch.run();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().message.find("Invalid partition name specified") != std::string::npos);
}

TEST_CASE("a scheduler that does not answer is waited for, and nothing is taken for lost meanwhile") {
  Fixture fixture;
  fixture.each_second = [&] { fixture.slurm.silent = fixture.beats > 1 && fixture.beats < 60; };
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::works; };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 40, 1);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 40);
  for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  CHECK(fixture.told.find("Slurm does not answer") != std::string::npos);
  CHECK(dispatch.toll().submitted_again == 0);
}

TEST_CASE("times are taken first, then judged with, in tasks of their own partition") {
  Fixture fixture;
  fixture.options.partition = "cpu", fixture.options.timing_partition = "gpu", fixture.options.gres = "gpu:1";
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask& task, const Chunk& chunk) {
    return chunk.phase == Phase::measure && task.number == 1 && task.index == 0 ? Deed::works_half : chunk.phase == Phase::judge && chunk.number % 3 == 0 && chunk.tries == 0 ? Deed::fails : Deed::works;
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 4, Phase::measure);
  fixture.run_to_the_end(dispatch);
  REQUIRE(fixture.reports.size() == 20);
  for (const auto& [work, reports] : fixture.all_reports)
    for (const std::string& report : reports) CHECK(report == "times of " + work);  // nothing is ever judged without
  for (const ArrayRequest& request : fixture.slurm.requests) {
    const Chunk first = *fixture.spool.chunk(fixture.spool.array(std::stoul(request.arguments.front()))->chunks.front());
    CHECK(request.partition == (first.phase == Phase::measure ? "gpu" : "cpu"));
    CHECK(request.gres == (first.phase == Phase::measure ? "gpu:1" : ""));
  }
}

TEST_CASE("after a kill the tasks that are under way are taken over, and only what nobody does is done again") {
  for (const int killed_after : {1, 2, 4, 7}) {
    CAPTURE(killed_after);
    Fixture fixture;
    std::set<std::string> all;
    for (std::size_t i = 0; i < 60; ++i) all.insert(Fixture::name_of(i));
    {
      fixture.slurm.slots = 2;
      DispatchEvents events = fixture.events;
      events.stopped = [&] { return fixture.beats >= killed_after; };
      Dispatch dying{fixture.slurm, fixture.spool, fixture.assignment, fixture.options, events};
      fixture.add(dying, 60, 3);
      CHECK((*dying.run() == Dispatch::Ending::stopped));
    }
    for (int i = 0; i < killed_after; ++i) fixture.slurm.step();  // nobody watches
    Dispatch second = fixture.dispatch();
    std::set<std::string> wanted;
    for (const std::string& each : all)
      if (!fixture.found.contains(each)) wanted.insert(each);
    REQUIRE(second.adopt(wanted));
    const std::set<std::string> expected = second.expected();
    Chunk left{.items = {}};
    for (const std::string& each : wanted)
      if (!expected.contains(each) && !fixture.found.contains(each)) left.items.push_back({.grading = each, .lab = "01-race"});
    REQUIRE(second.add(std::move(left)));
    fixture.run_to_the_end(second);
    CHECK(fixture.found.size() == 60);
    for (const auto& [work, times] : fixture.found) CHECK_MESSAGE(times == 1, work);
  }
}

TEST_CASE("times that were taken while nobody watched are judged with, and not taken again") {
  for (const int killed_after : {1, 2, 3, 5, 8}) {
    CAPTURE(killed_after);
    Fixture fixture;
    std::map<std::string, int> measured;
    fixture.slurm.slots = 2;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
      if (chunk.phase == Phase::measure)
        for (const Item& item : chunk.items) ++measured[item.grading];
      return Deed::works;
    };
    std::set<std::string> all;
    for (std::size_t i = 0; i < 24; ++i) all.insert(Fixture::name_of(i));
    DispatchEvents events = fixture.events;
    events.stopped = [&] { return fixture.beats >= killed_after; };
    {
      Dispatch dying{fixture.slurm, fixture.spool, fixture.assignment, fixture.options, events};
      fixture.add(dying, 24, 3, Phase::measure);
      CHECK((*dying.run() == Dispatch::Ending::stopped));
    }
    for (int i = 0; i < 20; ++i) fixture.slurm.step();
    Dispatch second = fixture.dispatch();
    std::set<std::string> wanted;
    for (const std::string& each : all)
      if (!fixture.found.contains(each)) wanted.insert(each);
    REQUIRE(second.adopt(wanted));
    const std::set<std::string> expected = second.expected();
    for (const std::string& each : wanted) CHECK((expected.contains(each) || fixture.found.contains(each)));
    fixture.run_to_the_end(second);
    CHECK(fixture.found.size() == 24);
    for (const auto& [work, times] : measured) CHECK_MESSAGE(times == 1, work);
    for (const auto& [work, reports] : fixture.all_reports)
      for (const std::string& report : reports) CHECK(report == "times of " + work);
  }
}

TEST_CASE("what was cancelled a moment ago is not taken over") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::is_completing; };
  DispatchEvents events = fixture.events;
  events.stopped = [&] { return fixture.beats >= 3; };
  Dispatch first{fixture.slurm, fixture.spool, fixture.assignment, fixture.options, events};
  fixture.add(first, 4, 1);
  CHECK((*first.run() == Dispatch::Ending::stopped));
  Dispatch second = fixture.dispatch();
  REQUIRE(second.adopt({"work0", "work1", "work2", "work3"}));
  CHECK(second.expected().empty());
}

TEST_CASE("--cancel ends it, whoever watches") {
  Fixture fixture;
  fixture.slurm.behaviour = [](const FakeCluster::FakeTask&, const Chunk&) { return Deed::hangs; };
  fixture.each_second = [&] {
    if (fixture.beats == 3) REQUIRE(fixture.spool.cancel());
  };
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 20, 2);
  CHECK((*dispatch.run() == Dispatch::Ending::cancelled));
  REQUIRE(dispatch.cancel());
  CHECK(fixture.slurm.alive() == 0);
}

TEST_CASE("tasks of which nothing is wanted any more are cancelled, and a further process does not miss them") {
  Fixture fixture;
  fixture.slurm.slots = 0;
  {
    DispatchEvents events = fixture.events;
    events.stopped = [&] { return fixture.beats >= 3; };
    Dispatch dying{fixture.slurm, fixture.spool, fixture.assignment, fixture.options, events};
    fixture.add(dying, 12, 3);
    CHECK((*dying.run() == Dispatch::Ending::stopped));
  }
  const std::set<std::string> wanted = {"work0", "work4", "work5"};
  {
    Dispatch second = fixture.dispatch();
    REQUIRE(second.adopt(wanted));
    CHECK(second.expected() == wanted);
    CHECK(fixture.slurm.cancelled == 2);
  }
  fixture.slurm.slots = 4;
  Dispatch third = fixture.dispatch();
  const Status adopted = third.adopt(wanted);
  REQUIRE_MESSAGE(adopted.ok(), adopted.error().message);
  CHECK(third.expected() == wanted);
  fixture.run_to_the_end(third);
  CHECK(fixture.found.contains("work0"));
  CHECK(fixture.found.contains("work5"));
  CHECK_FALSE(fixture.found.contains("work7"));
}

TEST_CASE("a part that is damaged, or another batch's, is left out, and its task is missed") {
  Fixture fixture;
  grader::testing::put(fixture.spool.folder() + "/results/1-0-x.json", "{\"schema\":");
  Part foreign;
  foreign.spool = "another", foreign.array = 1, foreign.found = {{"work0", {"passed", 10, "{}", 1, "nowhere"}}};
  REQUIRE(fixture.spool.put(foreign, "foreign"));
  Dispatch dispatch = fixture.dispatch();
  fixture.add(dispatch, 4, 2);
  fixture.run_to_the_end(dispatch);
  CHECK(fixture.found.size() == 4);
  CHECK(fixture.nodes.count("nowhere") == 0);
  CHECK(fixture.told.find("1-0-x.json is left out") != std::string::npos);
}

TEST_CASE("a hundred clusters on which everything may happen: nothing is lost, and nothing found without having been done") {
  std::mt19937 generator{20261124};
  const auto random = [&] { return static_cast<unsigned>(generator()); };
  for (int run = 0; run < 100; ++run) {
    CAPTURE(run);
    Fixture fixture;
    fixture.slurm.slots = 1 + random() % 6;
    fixture.slurm.of.tasks_of_array = 1 + random() % 12;
    const unsigned trouble = 2 + random() % 12;
    fixture.slurm.behaviour = [&](const FakeCluster::FakeTask&, const Chunk& chunk) {
      constexpr Deed deeds[] = {Deed::fails, Deed::works_half, Deed::vanishes, Deed::node_dies_and_it_runs_again, Deed::runs_twice, Deed::writes_late};
      return chunk.tries >= 3 || random() % trouble != 0 ? Deed::works : deeds[random() % std::size(deeds)];
    };
    fixture.slurm.refuses = [&] { return random() % 8 == 0 ? std::string{"Resource temporarily unavailable"} : std::string{}; };
    fixture.each_second = [&] { fixture.slurm.silent = random() % 10 == 0; };
    Dispatch dispatch = fixture.dispatch();
    fixture.add(dispatch, 50, 1 + random() % 9, run % 2 == 0 ? Phase::whole : Phase::measure);
    fixture.run_to_the_end(dispatch);
    CHECK(fixture.found.size() == 50);
    CHECK(fixture.given_up.empty());
  }
}
