// What histolab-confine is asked to do to itself before it becomes another program: a list of
// words, and nothing else of its own.
//
//   histolab-confine [uid N] [processes N] [read PATH]... [write PATH]... [directory PATH]
//   [addresses fixed] [filter FD] -- PROGRAM ARGUMENT...
//
// In that order it drops the rights of root, limits the number of processes, gives up all files but
// those below the paths named (Landlock; where there is `read` or `write`), asks for the same
// addresses each time (what starts it as root may have lost that wish on the way: Linux forgets it
// where a program gains rights), and takes the filter of system calls on itself. What cannot be
// done ends it with a status of its own: a confinement is whole, or nothing runs in it.
#pragma once

namespace histolab::sandbox {

inline constexpr int could_not_confine = 125;  // exit status; why is on the standard error

}  // namespace histolab::sandbox
