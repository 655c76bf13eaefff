#include "grader/quiz/testing/sample_quiz.h"

#include <cstdio>
#include <cstdlib>

#include "grader/testing/files.h"

namespace histolab::quiz::testing {

std::string sample_quiz_json() {
  return R"json({
  "schema": "histolab/quiz/1",
  "questions": [
    {"id": "one-address", "kind": "number", "unit": "atomics/s", "tolerance": 0.01,
     "text": "Each takes {latency} ns on one address. How many a second?",
     "draw": {"latency": [100, 50, 200]},
     "values": {"double": {"model": "product", "of": ["latency", 2]}},
     "answer": {"model": "updates_per_second", "latency_ns": "latency"}, "example": "0.01 G/s",
     "misconceptions": [
       {"answer": {"model": "product", "of": ["answer", 1000]}, "why": "A nanosecond is 10^-9 s."},
       {"answer": {"model": "product", "of": ["answer", 32]}, "why": "Lanes do not help on one address."}
     ],
     "why": "1 / {latency} ns is {answer}."},
    {"id": "final-values", "kind": "set", "text": "{threads} threads do histo[0]++ once each. Which values can be left?",
     "code": ["sample<<<1, {threads}>>>(histo);"],
     "values": {"threads": {"model": "sum", "of": [1, 2]}},
     "answer": {"model": "final_values", "threads": 3, "increments": 1}, "example": "1 2 3",
     "misconceptions": [{"answer": {"model": "set", "of": [3]}, "why": "Some may be lost."}],
     "why": "From 1, when all read the same 0, to 3."},
    {"id": "which-call", "kind": "choice", "text": "Which call adds Partial to Total?",
     "options": [
       {"text": "atomicAdd(&Total, Partial)", "right": true},
       {"text": "Total", "why": "An address is needed."},
       {"text": "atomicAdd(&Partial, Total), which is long enough to be broken into two lines at eighty columns", "why": "The address comes first."}
     ],
     "why": "The address comes first, then the amount."},
    {"id": "which-kernel", "kind": "choice", "text": "Measured on an {device}: which is faster?", "shuffle": false,
     "answer": {"measured": "sample", "highest": "elements_per_s", "where": {"bins": 7}},
     "options": [
       {"text": "the fast one", "right": true, "row": {"kernel": "fast"}},
       {"text": "the slow one", "row": {"kernel": "slow"}, "why": "By name."}
     ],
     "values": {"rate": {"measured": "sample", "field": "elements_per_s", "where": {"bins": 7, "kernel": "fast"}}},
     "why": "It does {rate:elements/s}."}
  ]
}
)json";
}

void put_sample_measurements(const std::string& folder) {
  grader::testing::put(folder + "/sample.json", R"json({"device": "SLOW 1", "rows": [
    {"kernel": "fast", "bins": 7, "elements_per_s": 2e9}, {"kernel": "fast", "bins": 8, "elements_per_s": 3e9},
    {"kernel": "slow", "bins": 7, "elements_per_s": 1e9}, {"kernel": "nearly", "bins": 7, "elements_per_s": 1.9e9}]}
)json");
}

Quiz sample_quiz() {
  const grader::testing::TemporaryFolder labs;
  grader::testing::put(labs.at("02-sample/quiz.json"), sample_quiz_json());
  put_sample_measurements(labs.path());
  Result<Quiz> quiz = load_quiz(labs.at("02-sample"), labs.path());
  if (!quiz) {
    std::fprintf(stderr, "the sample quiz does not load: %s\n", quiz.error().message.c_str());
    std::abort();
  }
  // Loaded files stay in memory, so the folder may be removed.
  quiz->file = "labs/02-sample/quiz.json";
  return std::move(*quiz);
}

}  // namespace histolab::quiz::testing
