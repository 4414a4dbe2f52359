# SPDX-License-Identifier: Apache-2.0
# JSON of traces: which two steps race, who waits for what, which stores are in buffers; a leak's place is not in the function of the last step.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
ask() { "$HEDDLE" -q "$@" --json "$dir/out.json" --sarif "$dir/out.sarif" | sed 's/  [0-9.]* s//'; python3 ../schema/schema.py report "$dir/out.json"; python3 ../schema/schema.py sarif "$dir/out.sarif"; }
show() { python3 -c '
import json, sys
t = json.load(open(sys.argv[1] + "/out.json"))["trace"]
print("racing", t.get("racing"), "of", len(t["steps"]), t.get("meet"))
for w in t.get("waits", []): print("waits", w["thread"], w["line"], w["for"])
for s in t["steps"]:
    for e in s["accesses"]:
        if e.get("buffered") or e.get("arrives"): print("buffer", e["kind"], e["name"], e["value"], "arrives" if e.get("arrives") else "waits")
print(json.load(open(sys.argv[1] + "/out.sarif"))["runs"][0]["results"][0]["locations"][0].get("logicalLocations"))' "$dir"; }
ask -p no-data-race ../../examples/lost_update.c; show
ask -p no-deadlock ../../examples/opposite_locks.c; show
ask -p unreach-call --memory-model tso ../c/weak/c11_store_buffering.c; show
ask -p valid-memsafety ../../examples/aba_stack.c; show
# Lines that move do not change the fingerprint of a race.
mark() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["runs"][0]["results"][0]["partialFingerprints"])' "$1"; }
cp ../../examples/lost_update.c "$dir/a.c"
cd "$dir" && "$HEDDLE" -q -p no-data-race --sarif one.sarif a.c >/dev/null; sed -i '1i /* a line more */' a.c; "$HEDDLE" -q -p no-data-race --sarif two.sarif a.c >/dev/null
[[ $(mark one.sarif) == "$(mark two.sarif)" ]] && echo 'the same fingerprint'
cd "$OLDPWD" && "$HEDDLE" -p unreach-call --witness "$dir/w.yml" ../c/answers/rounds_of_a_line.c | grep -c '…'
grep -c 'type: assumption' "$dir/w.yml"; "$HEDDLE" -q --check-witness "$dir/w.yml" ../c/answers/rounds_of_a_line.c | sed 's/  [0-9.]* s//'
# Two writes that race are of one state; the caret counts characters, and of a long line shows what is around it.
cat >"$dir/writes.c" <<'END'
#include <pthread.h>
static int größe;
static void *schreibe(void *p) { größe = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, schreibe, 0); /* a comment that makes the line a long one, so that not all of it is shown, but a part */ größe = 2; return 0; }
END
cd "$dir" && "$HEDDLE" -p no-data-race writes.c | sed 's/  [0-9.]* s$//'
"$HEDDLE" -p no-data-race writes.c | grep -A2 error: | tail -2 | sed 's/$/|/'
