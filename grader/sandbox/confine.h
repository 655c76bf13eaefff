// The command line of histolab-confine, a program that confines itself and then executes another
// one.
//
//    histolab-confine [uid N] [processes N] [read PATH]... [write PATH]... [directory PATH]
//    [addresses fixed] [name NAME] [filter FD] -- PROGRAM ARGUMENT...
//
// It applies these options in order. `uid` drops the rights of root. `processes` limits the number
// of processes. `read` and `write` make all files inaccessible except those below the given paths
// (Landlock). `addresses fixed` requests the same addresses in each run; Linux forgets that setting
// when a program gains rights, so a program started as root may have lost it. `name` is the argv[0]
// of PROGRAM. `filter` installs a filter of system calls. If a step fails, the program ends with a
// status of its own: nothing ever runs in an incomplete confinement.
#pragma once

namespace histolab::sandbox {

// The exit status. The reason is on the standard error.
inline constexpr int could_not_confine = 125;

}  // namespace histolab::sandbox
