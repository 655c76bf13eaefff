#!/usr/bin/env bash
# Exercism's test runner: bin/run.sh SLUG INPUT/ OUTPUT/ writes OUTPUT/results.json, and exits with 0
# if it could write it.
#
# For a trial run, HISTOLAB_PROGRAM=FILE replaces the image's program.
set -uo pipefail
if [[ $# != 3 ]]; then
  echo 'usage: bin/run.sh SLUG INPUT/ OUTPUT/' >&2
  exit 2
fi
slug=$1 input=$(realpath -m -- "$2") output=$(realpath -m -- "$3")
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
program=${HISTOLAB_PROGRAM:-$here/histolab/build/release/bin/histolab}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf -- "$scratch"' EXIT
mkdir -p "$output"
arguments=() # the settings without labs: the slug names the lab
while read -r word; do
  if [[ $word == --seed ]]; then read -r value && arguments+=(--seed "$value"); fi
done <"$here/arguments"
[[ -e $here/rubric.json ]] && arguments+=(--rubric "$here/rubric.json")
cd "$scratch" || exit 2
# Exercism's own limit is 20 seconds.
timeout 18 "$program" --labs "$here/histolab/labs" grade "$slug" "${arguments[@]}" --submission "$input" --uploaded --device emulator --format exercism --json "$scratch/report.json" \
  >"$scratch/results.json" 2>"$scratch/log"
status=$?
cat "$scratch/log" >&2
if [[ $status -gt 2 || ! -s $scratch/results.json ]]; then
  printf '{"version": 3, "status": "error", "message": "The test runner itself failed (status %d). It is not your fault.", "tests": []}\n' "$status" >"$scratch/results.json"
fi
cp "$scratch/results.json" "$output/results.json"
