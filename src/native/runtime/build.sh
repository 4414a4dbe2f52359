#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the program `bug` from these files: the module that was verified, the schedule of its steps and the runtime that follows it.
# build.sh 32: for 32 bits. build.sh tsan: builds `bug-tsan` for a data race instead; ThreadSanitizer watches and must report that race.
cd "$(dirname "$0")" || exit 1
for CC in "${CC:-clang-19}" clang; do command -v "$CC" >/dev/null && break; done
files="schedule.c turns.c points.c primitives.c start.c watcher.c"
compile() { "$CC" -g -O0 -w -fno-stack-protector -pthread -ffile-compilation-dir=. "$@"; }

# shellcheck disable=SC2086
# The runtime is not watched, since it is not part of the program.
watched() {
    compile -fsanitize=thread -c bug.bc -o bug-tsan.o &&
        compile -DTHREAD_SANITIZER -r -nostdlib $files -o runtime-tsan.o &&
        compile -fsanitize=thread bug-tsan.o runtime-tsan.o -o bug-tsan -lm
    code=$?
    rm -f bug-tsan.o runtime-tsan.o
    return $code
}

# shellcheck disable=SC2086
if [ "$1" = tsan ]; then
    watched
elif [ "$1" = 32 ]; then
    crt() { "$CC" -m32 -print-file-name="$1"; }
    # Links without the compiler's own library for 32 bits, which not every machine has: primitives.c has the functions that are needed.
    compile -m32 -fno-pie -no-pie -nostartfiles -nodefaultlibs "$(crt crt1.o)" "$(crt crti.o)" bug.bc $files -lm -lc "$(crt crtn.o)" -o bug
else
    compile bug.bc $files -lm -o bug
fi
