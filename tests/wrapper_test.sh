#!/usr/bin/env bash
# The wrapper, ./histolab, in a copied tree with commands of our own in front of PATH: cmake, ctest, dpkg-query, apt-get,
# apt-cache, sudo and id write what they were asked into $calls and do what files in $fakes tell them. So every branch is
# walked in seconds, without a compiler, a network or a right to install.
set -uo pipefail
repository=${HISTOLAB_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/histolab wrapper.XXXXXX") || exit 2
trap 'rm -rf -- "$work"' EXIT
unset HISTOLAB_BUILD_DIR HISTOLAB_PRESET HISTOLAB_YES
export fakes=$work/fakes calls=$work/calls
tree="$work/a tree with spaces"
failures=0
checks=0

# ---- the stage -------------------------------------------------------------------------------------------------------
mkdir -p "$fakes" "$work/bin" "$tree/grader" "$tree/cmake" "$tree/labs/01-race" "$tree/docs" "$work/elsewhere"
cp "$repository/histolab" "$tree/histolab"
echo 'project(x)' >"$tree/CMakeLists.txt"
echo '{}' >"$tree/CMakePresets.json"
echo 'module' >"$tree/grader/CMakeLists.txt"
echo 'int x;' >"$tree/grader/x.cpp"
echo '{}' >"$tree/labs/01-race/lab.json"

fake() { # NAME, body on stdin
  # shellcheck disable=SC2016
  { printf '#!/usr/bin/env bash\nprintf "%%s\\n" "%s $*" >>"$calls"\n' "$1" && cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
fake cmake <<'FAKE'
if [[ $1 == --build ]]; then
  [[ -e $fakes/build_is_slow ]] && { echo $$ >"$fakes/builder"; echo '[1/9] slow'; sleep 30; }
  if [[ -e $fakes/build_fails ]]; then
    printf '%s\n' '[1/2] Building CXX object w.o' 'w.cpp:1:1: warning: w' '[1/2] Building CXX object x.o' 'FAILED: x.o' 'c++ -c x.cpp' "x.cpp:1:1: error: 'y' was not declared"
    exit 1
  fi
  echo '[1/1] Linking'
  mkdir -p "$2/bin"
  printf '#!/usr/bin/env bash\necho "program in $PWD with <$*>"\nexit 1\n' >"$2/bin/histolab"
  cp "$2/bin/histolab" "$2/bin/histolab-worker"
  chmod +x "$2/bin/"*
else
  if [[ -e $fakes/configure_fails && $1 != --fresh ]]; then echo 'CMake Error: the source does not match'; exit 1; fi
  while [[ $1 != -B ]]; do shift; done
  touch "$2/build.ninja"
fi
FAKE
fake ctest <<'FAKE'
echo '100% tests passed, 0 tests failed out of 1'
exit "$(cat "$fakes/ctest_status" 2>/dev/null || echo 0)"
FAKE
fake dpkg-query <<'FAKE'
shift 3
for package; do grep -qx "$package" "$fakes/missing" 2>/dev/null || echo "$package installed"; done
FAKE
fake apt-cache <<'FAKE'
[[ ! -e $fakes/lists_empty ]]
FAKE
fake apt-get <<'FAKE'
[[ " $* " == *' update '* ]] && rm -f "$fakes/lists_empty" && exit 0
[[ -e $fakes/apt_fails || -e $fakes/lists_empty ]] && { echo 'E: Unable to locate package'; exit 100; }
rm -f "$fakes/missing"
FAKE
fake sudo <<'FAKE'
[[ -e $fakes/sudo_refuses ]] && { echo 'sudo: a password is required' >&2; exit 1; }
while [[ $1 == -n || $1 == -v ]]; do shift; [[ $# == 0 ]] && exit 0; done
"$@"
FAKE
fake id <<'FAKE'
[[ $1 == -u ]] && { cat "$fakes/uid" 2>/dev/null || echo 0; exit; }
echo somebody
FAKE
export PATH="$work/bin:$PATH"

# ---- the assertions --------------------------------------------------------------------------------------------------
run() { # COMMAND...: sets status, out, err and empties the list of calls first
  : >"$calls"
  out=$("$@" </dev/null 2>"$work/err")
  status=$?
  err=$(<"$work/err")
}
expect() { # WHAT, then a test command
  local what=$1
  shift
  checks=$((checks + 1))
  "$@" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  status %s\n  out: %s\n  err: %s\n  calls: %s\n' "$what" "$status" "$out" "$err" "$(<"$calls")"
}
is() { [[ $1 == "$2" ]]; }
has() { [[ $1 == *"$2"* ]]; }
lacks() { [[ $1 != *"$2"* ]]; }
called() { has "$(<"$calls")" "$1"; }
not_called() { lacks "$(<"$calls")" "$1"; }
gone() { ! kill -0 "$1" 2>/dev/null; }
later() { # FILE: as if edited just now
  sleep 0.02
  echo more >>"$1"
}

# ---- the first run, and the ones after it ------------------------------------------------------------------------------
cd "$work/elsewhere" || exit 2
run "$tree/histolab" grade --json 'a file'
expect 'the first run configures' called 'cmake --preset release -S'
expect 'the first run builds the program only' called '--target histolab_program'
expect 'the first run does not build the tests' not_called 'histolab_tests'
expect 'the program gets the arguments and the current directory' is "$out" "program in $work/elsewhere with <grade --json a file>"
expect "the program's status is the wrapper's" is "$status" 1
expect 'one progress line' is "$(wc -l <"$work/err")" 1
expect 'nothing is installed where nothing is missing' not_called 'apt-get'

run "$tree/histolab" list
expect 'nothing changed: no cmake, no dpkg-query' is "$(<"$calls")" ''
expect 'nothing changed: not a word' is "$err" ''

ln -s "$tree/histolab" "$work/link"
ln -s link "$work/link to a link"
run "$work/link to a link" list
expect 'through a symbolic link' is "$out$(<"$calls")" "program in $work/elsewhere with <list>"
cd "$tree" || exit 2
run ./histolab list
expect 'from its own directory' is "$out$(<"$calls")" "program in $tree with <list>"
cd "$work/elsewhere" || exit 2

later "$tree/labs/01-race/lab.json"
later "$tree/docs/note.md"
later "$tree/report.json"
run "$tree/histolab" list
expect 'labs, docs and reports are no reason to build' is "$(<"$calls")" ''
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'a changed source is built' called 'cmake --build'
expect 'a changed source does not configure' not_called '--preset'
touch -d '2001-01-01' "$tree/grader/old.cpp"
run "$tree/histolab" list
expect 'an added source is noticed, however old' called 'cmake --build'
rm "$tree/grader/old.cpp"
run "$tree/histolab" list
expect 'a deleted source is noticed' called 'cmake --build'
rm "$tree/build/release/bin/histolab-worker"
run "$tree/histolab" list
expect 'a lost program is built again' called 'cmake --build'
run "$tree/histolab" list
expect 'and then all is quiet' is "$(<"$calls")" ''

milliseconds=$(for _ in 1 2 3 4 5; do
  start=${EPOCHREALTIME/[.,]/}
  "$tree/histolab" list >/dev/null
  echo $(((${EPOCHREALTIME/[.,]/} - start) / 1000))
done | sort -n | head -n 1)
expect "a run that changes nothing costs less than 100 ms (it was $milliseconds)" test "$milliseconds" -lt 100

# ---- where and how it builds -------------------------------------------------------------------------------------------
run env HISTOLAB_BUILD_DIR="$work/other build" HISTOLAB_PRESET=ci "$tree/histolab" list
expect 'HISTOLAB_BUILD_DIR and HISTOLAB_PRESET' called "cmake --preset ci -S $tree -B $work/other build/ci"
run env HISTOLAB_BUILD_DIR=here "$tree/histolab" list
expect 'a relative HISTOLAB_BUILD_DIR' test -x "$work/elsewhere/here/release/bin/histolab"
run env HISTOLAB_PRESET=fast "$tree/histolab" list
expect 'an unknown preset: status 2' is "$status" 2
expect 'an unknown preset is named' has "$err" 'no preset "fast"'
run env HISTOLAB_BUILD_DIR=/proc/nowhere "$tree/histolab" list
expect 'a build folder that cannot be made: status 2' is "$status" 2
expect 'a build folder that cannot be made: what to do' has "$err" 'HISTOLAB_BUILD_DIR'
# A tree that others may only read. (A folder in place of the lock stops root, too.)
rm "$tree/build/release/.lock" && mkdir "$tree/build/release/.lock"
sed -i '/status$/s/^./9/' "$tree/build/release/.stamp-program"
run "$tree/histolab" list
expect 'read-only, and some package changed since it was built: it runs' has "$out" 'program in'
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'read-only, and a source changed: status 2' is "$status" 2
rmdir "$tree/build/release/.lock"
mv "$tree" "$tree moved"
: >"$fakes/configure_fails"
run "$tree moved/histolab" list
expect 'a moved tree is configured from the beginning' called 'cmake --fresh --preset release'
expect 'a moved tree runs' has "$out" 'program in'
rm "$fakes/configure_fails"
mv "$tree moved" "$tree"
run "$tree/histolab" list

: >"$fakes/build_fails"
later "$tree/grader/x.cpp"
run "$tree/histolab" list
expect 'a failed build: status 2' is "$status" 2
expect "a failed build shows the compiler's words" has "$err" "x.cpp:1:1: error: 'y' was not declared"
expect 'a failed build keeps the progress to itself' lacks "$err" '[1/2]'
expect 'a failed build keeps the command line to itself' lacks "$err" 'c++ -c'
expect 'a failed build keeps the warnings of others to itself' lacks "$err" 'warning'
expect 'a failed build says what to do' has "$err" 'run this again'
rm "$fakes/build_fails"
run "$tree/histolab" list
expect 'a failed build is tried again' called 'cmake --build'

# Two first runs at once: one builds, the other waits and then finds everything done.
rm -rf "$tree/build"
: >"$calls"
for copy in 1 2; do "$tree/histolab" list >"$work/out.$copy" 2>/dev/null </dev/null & done
wait
expect 'two at once build once' is "$(grep -c -e --build "$calls")" 1
expect 'two at once both run' is "$(cat "$work"/out.? | sort -u)" "program in $work/elsewhere with <list>"

# A signal during the build leaves no child behind, and the next run goes on. (What a script starts with & ignores INT.)
: >"$fakes/build_is_slow"
later "$tree/grader/x.cpp"
"$tree/histolab" list >/dev/null 2>"$work/err" </dev/null &
wrapper=$!
for _ in {1..250}; do [[ -s $fakes/builder ]] && break; sleep 0.02; done
builder=$(<"$fakes/builder")
kill -TERM "$wrapper"
wait "$wrapper"
status=$?
for _ in {1..100}; do kill -0 "$builder" 2>/dev/null || break; sleep 0.02; done
expect 'SIGTERM: the status says so' is "$status" 143
expect 'SIGTERM: no compiler is left' gone "$builder"
expect 'SIGTERM: a word' has "$(<"$work/err")" 'interrupted'
rm "$fakes/build_is_slow"
run "$tree/histolab" list
expect 'after an interruption the build goes on' called 'cmake --build'

# ---- packages ----------------------------------------------------------------------------------------------------------
fresh() { # MISSING...: a tree that was never built, on a machine without these
  rm -rf "$tree/build" "${fakes:?}"/*
  printf '%s\n' "$@" >"$fakes/missing"
}
fresh libfmt-dev libdw-dev
run "$tree/histolab" list
expect 'root: installs without asking' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends libfmt-dev libdw-dev'
expect 'root: no update while the lists are good' not_called 'update'
expect 'root: says what it installs' has "$err" 'installing libfmt-dev libdw-dev'
expect 'root: no word of apt' lacks "$err" 'apt-get'
expect 'root: then builds and runs' has "$out" 'program in'
run "$tree/histolab" list
expect 'once installed, packages are not looked at again' is "$(<"$calls")" ''

fresh libfmt-dev
: >"$fakes/lists_empty"
run "$tree/histolab" list
expect 'empty package lists are fetched' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 update'
expect 'and then it runs' has "$out" 'program in'

fresh libfmt-dev
: >"$fakes/apt_fails"
run "$tree/histolab" list
expect 'a failed installation: status 2' is "$status" 2
expect "a failed installation shows apt's words" has "$err" 'Unable to locate package'
expect 'a failed installation says the command' has "$err" 'apt-get install --no-install-recommends libfmt-dev'
expect 'a failed installation does not build' not_called 'cmake --'

fresh libfmt-dev libdw-dev
echo 1000 >"$fakes/uid"
run "$tree/histolab" list
expect 'a user without a terminal: status 2' is "$status" 2
expect 'a user without a terminal: one command for an administrator' has "$err" \
  'sudo apt-get update && sudo apt-get install --no-install-recommends libfmt-dev libdw-dev'
expect 'a user without a terminal: nothing is installed' not_called 'apt-get'
expect 'a user without a terminal: standard output is empty' is "$out" ''
run env HISTOLAB_YES=1 "$tree/histolab" list
expect 'HISTOLAB_YES=1: by sudo' called 'sudo -n env DEBIAN_FRONTEND=noninteractive'
expect 'HISTOLAB_YES=1: it runs' has "$out" 'program in'

fresh libfmt-dev
echo 1000 >"$fakes/uid"
: >"$fakes/sudo_refuses"
run env HISTOLAB_YES=1 "$tree/histolab" list
expect 'no right to sudo: status 2' is "$status" 2
expect 'no right to sudo: the command for an administrator' has "$err" 'sudo apt-get update && '

if command -v script >/dev/null; then
  fresh libfmt-dev
  echo 1000 >"$fakes/uid"
  : >"$calls"
  out=$({ sleep 0.5 && echo n; } | script -qec "'$tree/histolab' list" /dev/null)
  expect 'at a terminal it names the packages and asks' has "$out" 'install them now with sudo apt-get? [Y/n]'
  expect 'at a terminal, no means no' has "$out" 'nothing was installed'
  expect 'at a terminal, no installs nothing' not_called 'apt-get'
  out=$({ sleep 0.5 && echo y; } | script -qec "'$tree/histolab' list" /dev/null)
  expect 'at a terminal, yes installs' called 'apt-get -q -y -o DPkg::Lock::Timeout=300 install'
  expect 'at a terminal, yes runs' has "$out" 'program in'
fi

# ---- test and setup ------------------------------------------------------------------------------------------------------
fresh doctest-dev python3-jsonschema
run "$tree/histolab" list
expect "a command does not need the tests' packages" not_called 'apt-get'
run "$tree/histolab" test -R grader
expect 'test installs what only tests need' called 'install --no-install-recommends doctest-dev python3-jsonschema'
expect 'test configures again after an installation' called 'cmake --preset'
expect 'test builds the tests' called '--target histolab_tests'
expect 'test passes arguments on' called "ctest --test-dir $tree/build/release -j2 --output-on-failure --no-tests=error -LE ^slow\$ -R grader"
expect 'test: status 0' is "$status" 0
expect "test ends with ctest's summary" is "$out" '100% tests passed, 0 tests failed out of 1'
run "$tree/histolab" test --all
expect 'test --all leaves nothing out' not_called '-LE'
expect 'test: nothing changed, only ctest runs' is "$(wc -l <"$calls")" 1
run "$tree/histolab" list
expect 'after test, a command has nothing to build' is "$(<"$calls")" ''
echo 8 >"$fakes/ctest_status"
run "$tree/histolab" test
expect 'a failed test: status 1' is "$status" 1
echo 5 >"$fakes/ctest_status"
run "$tree/histolab" test
expect 'ctest cannot run: status 2' is "$status" 2

fresh doctest-dev
run "$tree/histolab" setup
expect 'setup installs and builds everything' called '--target histolab_tests'
expect 'setup: status 0' is "$status" 0
for part in cuda viewer nonsense; do
  run "$tree/histolab" setup $part
  expect "setup $part: status 2" is "$status" 2
done

printf '%d checks, %d failed\n' $checks $failures
[[ $failures == 0 ]]
