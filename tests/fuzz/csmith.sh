#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# csmith.sh [--build DIR] [--keep DIR] N SEED: N random sequential C programs from csmith. Each is compiled natively and
# run for its checksum; Heddle must find the right checksum SAFE and a wrong one UNSAFE. Every other program is 32-bit.
# No floats: csmith converts them out of range, which is undefined. A program whose native run takes too long is replaced by the next seed. Exit code 1 if any differs or is not
# decided, or if there are too few.
set -u
build=build keep=
while [[ ${1:-} == --* ]]; do
    case $1 in
    --build) build=$2 ;;
    --keep) keep=$2 ;;
    esac
    shift 2
done
count=${1:-20} seed=${2:-1}
heddle=$(readlink -f "$build/heddle")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export heddle work keep

# one SEED: prints a line "SEED verdict"
one() {
    local seed=$1 dir=$work/$1 model=LP64 bits=-m64 crc wrong out
    ((seed % 2)) || { model=ILP32 bits=-m32; }
    mkdir -p "$dir" && cd "$dir" || return
    csmith --seed "$seed" --max-funcs 4 --max-block-depth 3 --max-block-size 3 --max-expr-complexity 6 \
        --max-array-dim 2 --max-array-len-per-dim 4 --no-argc >a.c 2>/dev/null || { echo "$seed skipped"; return; }
    [[ $bits == -m64 ]] || gcc -m32 -x c -E - </dev/null >/dev/null 2>&1 || { model=LP64 bits=-m64; }
    gcc $bits -w -O0 -I/usr/include/csmith a.c -o a 2>/dev/null || { bits=-m64 model=LP64; gcc -w -O0 -I/usr/include/csmith a.c -o a; } || { echo "$seed skipped"; return; }
    crc=$(timeout 2 ./a | sed -n 's/^checksum = //p')
    [[ -n $crc ]] || { echo "$seed skipped"; rm -rf "$dir"; return; }
    wrong=$(printf '%X' $((0x$crc ^ 1)))
    local verdict=agrees expected value
    for expected in 0:$crc 1:$wrong; do
        value=${expected#*:}
        sed "s/^ *platform_main_end(.*/    if ((crc32_context ^ 0xFFFFFFFFUL) != 0x${value}UL) reach_error();/; s/^#include \"csmith.h\"/&\nextern void reach_error(void);/" a.c >check.c
        out=$("$heddle" -p unreach-call --timeout 60 --data-model $model check.c -- -w -I/usr/include/csmith 2>&1)
        code=$?
        if ((code != ${expected%%:*})); then
            verdict="differs ($model, checksum $value): exit $code: $(echo "$out" | head -2 | tr '\n' ' ')"
            if ((code == 2)); then verdict="unknown${verdict#differs}"; fi
            [[ -z $keep ]] || { mkdir -p "$keep" && cp check.c "$keep/csmith-$seed.c"; }
            break
        fi
    done
    echo "$seed $verdict"
    cd "$work" && rm -rf "$dir"
}
export -f one

agree=0 differ=0 unknown=0 next=$seed
while ((agree + differ + unknown < count && next < seed + 10 * count)); do
    want=$((count - agree - differ - unknown))
    results=$(seq "$next" $((next + want - 1)) | xargs -P "$(nproc)" -I{} bash -c 'one {}')
    next=$((next + want))
    agree=$((agree + $(grep -c ' agrees' <<<"$results")))
    differ=$((differ + $(grep -c ' differs' <<<"$results")))
    unknown=$((unknown + $(grep -c ' unknown' <<<"$results")))
    grep -E ' differs| unknown' <<<"$results"
done
echo "csmith: $agree agree, $differ differ, $unknown unknown"
((agree + differ + unknown == count)) || { echo "csmith: too few programs (is csmith installed?)"; exit 1; }
((differ == 0 && unknown == 0))
