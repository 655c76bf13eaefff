// Ctrl-C and its relatives: everything stops at once, no child stays, no temporary file, no report
// half written.
//
// SIGINT, SIGTERM and SIGHUP are blocked everywhere but in one thread that waits for them. When one
// comes, that thread lets nothing begin any more that would outlive the process, kills the
// children, waits until each is gone and its temporary folder with it, and ends the process with
// 128 + the signal's number. Whatever else the program is doing just then (generating data, waiting
// for a thread) is cut off. A further signal does not wait for the tidying up.
#pragma once

#include <functional>
#include <string>

namespace histolab::cli {

// To be called once, before there is another thread. SIGPIPE and SIGXFSZ are ignored from then on:
// a reader that went away, or a file that may not grow, is an error of a write. What was ignored
// already (nohup) stays so.
void watch_signals();

// For a program that takes this one's place (exec): signals do to it what they do by themselves.
void unwatch_signals();

// For a program that has the terminal while this one waits for it: Ctrl-C is its own then, and does
// nothing here.
void leave_interrupts_to_others(bool leave);

// What is said after "interrupted; ", from now on: how to go on with what was begun.
void advise_when_interrupted(const std::string& text);

// Asked, on the waiting thread, when Ctrl-C ends the process, before anything else happens: what
// shall become of what goes on without it. It speaks by answer_to() and ends soon; an empty one
// asks nothing.
void ask_when_interrupted(std::function<void()> ask);
// Within that: prints the question and reads one line of the terminal. Empty: there is no terminal,
// or another signal came.
[[nodiscard]] std::string answer_to(const std::string& question);

// Called last when a signal ends the process, or end_now(), from any thread: to give a terminal
// back as it was. Null: nothing.
void at_the_end(void (*restore)());

// Returns, unless a signal is ending the process. What is printed goes through here first, so that
// no result that the signal itself brought about is ever seen.
void wait_if_interrupted();

// Ends the process at once and without a word, as tidily as a signal does. From any thread, before
// no_more_signals().
[[noreturn]] void end_now(int code);

// main's last word: from now on the process ends with the code that main returns, not with a
// signal's.
void no_more_signals();

}  // namespace histolab::cli
