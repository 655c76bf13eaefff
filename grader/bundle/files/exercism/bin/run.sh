#!/usr/bin/env bash
# Exercism's test runner: bin/run.sh SLUG INPUT/ OUTPUT/ writes OUTPUT/results.json. It exits with 0 whenever that was written.
#
# HISTOLAB_PROGRAM=FILE instead of the image's, for trying it out.
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
arguments=() # the settings; which lab it is the slug says
while read -r word; do
  if [[ $word == --seed ]]; then read -r value && arguments+=(--seed "$value"); fi
done <"$here/arguments"
[[ -e $here/rubric.json ]] && arguments+=(--rubric "$here/rubric.json")
cd "$scratch" || exit 2
# Exercism itself ends it after 20 seconds.
timeout 18 "$program" --labs "$here/histolab/labs" grade "$slug" "${arguments[@]}" --submission "$input" --uploaded --device emulator --format exercism --json "$scratch/report.json" \
  >"$scratch/results.json" 2>"$scratch/log"
status=$?
cat "$scratch/log" >&2
if [[ $status -gt 2 || ! -s $scratch/results.json ]]; then
  printf '{"version": 3, "status": "error", "message": "The test runner itself failed (status %d). It is no fault of yours.", "tests": []}\n' "$status" >"$scratch/results.json"
fi
cp "$scratch/results.json" "$output/results.json"
