#!/usr/bin/env bash
# The entry point of PrairieLearn's external grader: grades /grade/student and always writes
# /grade/results/results.json. If grading itself fails, the submission is not gradable, which costs the
# student neither points nor an attempt.
#
# For a trial run, HISTOLAB_GRADE=DIR replaces /grade, and HISTOLAB_PROGRAM=FILE the image's program.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
base=${HISTOLAB_GRADE:-/grade}
program=${HISTOLAB_PROGRAM:-$here/histolab/build/release/bin/histolab}
seconds=${HISTOLAB_SECONDS:-540} # below the timeout of info.json

mkdir -p "$base/results"
rm -f "$base/results/results.json"
scratch=$(mktemp -d) || scratch=
failed() { # WHY: one line without quotes or backslashes
  echo "histolab: $1" >&2
  printf '{"gradable": false, "format_errors": ["There is no score: grading failed (%s). It is not your fault and costs no mark and no attempt. Please tell your instructor."]}\n' "$1" >"$base/results/results.json"
}
finish() {
  [[ -s $base/results/results.json ]] || failed 'it was interrupted'
  [[ -n $scratch ]] && rm -rf -- "$scratch"
}
trap finish EXIT
job=
trap '[[ -n $job ]] && kill "$job" 2>/dev/null; exit 0' INT TERM HUP # also stop grading

[[ -n $scratch ]] || { failed 'no temporary folder could be made'; exit 0; }
[[ -x $program ]] || { failed 'histolab is not in this image'; exit 0; }
mapfile -t arguments 2>/dev/null <"$here/arguments" || { failed 'the bundle is not complete'; exit 0; }
[[ -e $here/rubric.json ]] && arguments+=(--rubric "$here/rubric.json")
cd "$scratch" || exit 0
timeout --kill-after=5 "$seconds" "$program" --labs "$here/histolab/labs" grade "${arguments[@]}" --submission "$base/student" --uploaded --device emulator \
  --format prairielearn --json "$scratch/report.json" >"$scratch/results.json" 2>"$scratch/log" &
job=$!
wait "$job"
status=$?
cat "$scratch/log" >&2
if [[ $status -le 2 && -s $scratch/results.json ]]; then
  cp "$scratch/results.json" "$base/results/results.json.new" && mv "$base/results/results.json.new" "$base/results/results.json" || failed 'the results could not be written'
elif [[ $status == 124 || $status == 137 ]]; then
  failed "grading took longer than $seconds seconds"
else
  failed "histolab ended with status $status"
fi
exit 0
