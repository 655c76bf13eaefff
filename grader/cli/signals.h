// Handling of Ctrl-C and similar signals: everything stops at once and leaves no child, no
// temporary file and no half-written report.
//
// SIGINT, SIGTERM and SIGHUP are blocked in all threads except one that waits for them. On a
// signal, that thread prevents new children and temporary folders and kills the children. It waits
// until each is gone and its temporary folder is removed, then ends the process with 128 + the
// signal's number. All other work (generating data, waiting for a thread) is cut off. A second
// signal skips the cleanup.
#pragma once

#include <functional>
#include <string>

namespace histolab::cli {

// Call this once, before another thread starts. From then on SIGPIPE and SIGXFSZ are ignored: a
// reader that is gone, or a file that may not grow, makes a write fail. Signals that were already
// ignored (nohup) stay ignored.
void watch_signals();

// For a program that replaces this one (exec): restores the default actions of the signals.
void restore_signals();

// For a program that has the terminal while this one waits for it: Ctrl-C then belongs to that
// program and has no effect here.
void ignore_interrupts(bool leave);

// Sets the text printed after "interrupted; ": how to resume the work.
void advise_when_interrupted(const std::string& text);

// Sets a function that runs first when Ctrl-C ends the process, on the waiting thread. If work
// continues without this process, it may ask the user about it, by answer_to(). It must return
// soon. An empty function asks nothing.
void ask_when_interrupted(std::function<void()> ask);
// For that function: prints the question and reads one line from the terminal. Returns an empty
// string without a terminal, or when another signal arrives.
[[nodiscard]] std::string answer_to(const std::string& question);

// Sets a function that runs last when a signal or end_now() ends the process, on any thread. It
// restores the terminal. Null: nothing.
void restore_at_exit(void (*restore)());

// Returns unless a signal is ending the process. All output calls it first, so that results caused
// by the signal itself are never printed.
void wait_if_interrupted();
// Whether a signal is ending the process. A thread that waits for something else than its children
// must look, and end.
[[nodiscard]] bool is_interrupted();

// Ends the process at once without a message and cleans up like a signal. May be called from any
// thread before no_more_signals().
[[noreturn]] void end_now(int code);

// Called last in main. From now on the process ends with main's exit code, not with a signal's.
void no_more_signals();

}  // namespace histolab::cli
