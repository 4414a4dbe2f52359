# heddle run: compiled by heddle-cc or by Heddle; recorded and replayed; what is not judged; wrong input.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cc=$(dirname "$HEDDLE")/heddle-cc
run() { "$HEDDLE" run --jobs 1 "$@" 2>&1 | sed "s|$dir|DIR|g; s|[^ ]*/tmp/heddle-run-[^/]*|RUN|g"; echo "exit code ${PIPESTATUS[0]}"; }
quick() { run -q "$@"; }

echo "== a project"
printf '#include <pthread.h>\nint n;\nvoid *work(void *a) { n++; return a; }\n' >"$dir/work.c"
printf '#include <pthread.h>\nvoid *work(void *);\nint main(int c, char **v) { pthread_t t; pthread_create(&t, 0, work, 0); if (c > 1) work(v); return pthread_join(t, 0); }\n' >"$dir/main.c"
printf '%s\n' "$dir/main.c" >"$dir/files"
(cd "$dir" && "$cc" -c -Wall -Werror work.c && "$cc" -Wall -Werror @files work.o -o program && "$cc" -shared -fPIC work.c -o libwork.so && "$cc" main.c -L. -lwork -o with_library && "$cc" -E main.c >/dev/null)
quick --program "$dir/program"
quick --program "$dir/program" -- two
LD_LIBRARY_PATH=$dir quick --program "$dir/with_library" -- two
"$dir/program" two; echo "alone: $?"

echo "== a script that starts it"
printf '#!/bin/sh\n"%s" "$@"\n' "$dir/program" >"$dir/script"; chmod +x "$dir/script"
quick --program "$dir/script" -- two

echo "== recorded and replayed"
quick --trace "$dir/schedule" --program "$dir/program" -- two
for i in 1 2 3; do quick --replay "$dir/schedule"; done
quick --seed 7 --shard 2/2 --strategy pct --json "$dir/json" --sarif "$dir/sarif" --html "$dir/html" --program "$dir/program" -- two
grep -c '"verdict": "UNSAFE"' "$dir/json"; grep -c '"kind": "fail"' "$dir/sarif"; grep -c '<html' "$dir/html"

echo "== all violations, of one property"
printf '#include <pthread.h>\nint x, y;\nvoid *work(void *a) {\n    x = 1;\n    y = 1;\n    return a;\n}\nint main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, work, 0);\n    x = 2;\n    y = 2;\n    return pthread_join(t, 0);\n}\n' >"$dir/two.c"
run --all-violations --layout lines -p no-data-race --runs 50 "$dir/two.c" | grep -E '^UNSAFE|error:'
quick -p no-deadlock "$dir/two.c"

echo "== something outside has changed"
printf '#include <assert.h>\n#include <pthread.h>\n#include <unistd.h>\nvoid *work(void *a) { if (!access("%s/more", F_OK)) usleep(1); assert(access("%s/bad", F_OK)); return a; }\nint main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return pthread_join(t, 0); }\n' "$dir" "$dir" >"$dir/file.c"
touch "$dir/bad"; "$cc" "$dir/file.c" -o "$dir/file"
quick --trace "$dir/file.schedule" --program "$dir/file"
touch "$dir/more"; quick --replay "$dir/file.schedule"
rm "$dir/bad"; run --replay "$dir/file.schedule"

echo "== an endless schedule"
printf '#include <stdatomic.h>\natomic_int n;\nint main(void) { while (!n) continue; return 0; }\n' >"$dir/endless.c"
run --runs 2 --events 0.01 "$dir/endless.c"

echo "== a second opinion"
"$HEDDLE" -q -p unreach-call --confirm 20 ../../examples/locked_counter.c
printf 'void lock(void); int main(void) { lock(); return 0; }\n' >"$dir/open.c"
"$HEDDLE" -q -p unreach-call --pure lock --confirm 20 "$dir/open.c" | sed "s|$dir|DIR|"

printf '#include <assert.h>\nint main(void) {\n#if __has_feature(thread_sanitizer)\nassert(0);\n#endif\n    return 0;\n}\n' >"$dir/differs.c" # not the program that was proved
"$HEDDLE" -q -p unreach-call --jobs 1 --confirm 20 "$dir/differs.c" >"$dir/said" 2>&1; echo "exit code $?"
kept=$(grep -o '/tmp/heddle-run-[A-Za-z0-9]*' "$dir/said"); sed "s|$kept|KEPT|" "$dir/said"; ls "$kept" | sed 's/[0-9]*-/N-/; s/^[0-9]*\././'; rm -r "$kept"

echo "== wrong input"
printf 'int main(void) { return 0; }\n' >"$dir/plain.c"; gcc "$dir/plain.c" -o "$dir/plain"
run --program "$dir/plain"
run --program "$dir/nowhere"
run --program "$dir"
run --shard 3/2 "$dir/two.c"
run --replay "$dir/two.c"
run --replay "$dir/nowhere"
"$cc" "$dir/two.c" -o "$dir/program"
run --replay "$dir/schedule"
run
printf 'int main(void) { return x; }\n' >"$dir/wrong.c"
run "$dir/wrong.c"
"$cc" -static "$dir/plain.c" -o "$dir/static"; echo "exit code $?"
