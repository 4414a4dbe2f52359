#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the program `bug` of what lies here: the module that was verified, the schedule of its steps and the runtime that keeps to it.
cd "$(dirname "$0")" || exit 1
for CC in "${CC:-clang-19}" clang; do command -v "$CC" >/dev/null && break; done
files="bug.bc schedule.c turns.c points.c primitives.c start.c"
# shellcheck disable=SC2086
build() { "$CC" -g -O0 -w -fno-stack-protector "$@" -o bug -pthread; }
if [ "${1:-64}" = 32 ]; then
    crt() { "$CC" -m32 -print-file-name="$1"; }
    # Without the compiler's own library for 32 bits, which not every machine has: primitives.c has what is needed of it.
    build -m32 -fno-pie -no-pie -nostartfiles -nodefaultlibs "$(crt crt1.o)" "$(crt crti.o)" $files -lm -lc "$(crt crtn.o)"
else
    build $files -lm
fi
