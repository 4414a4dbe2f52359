# SPDX-License-Identifier: Apache-2.0
# Sourced by ./heddle and ./test: find the tree, install what is missing, build. Quiet and quick when all is there.

root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..
root=$(cd "$root" && pwd)

# package : a file or command that shows it is there
packages=(
    make:make
    gcc:gcc
    pkg-config:pkg-config
    clang-19:clang-19
    llvm-19:llvm-link-19
    llvm-19-dev:/usr/lib/llvm-19/include/llvm-c/Core.h
    libz3-dev:/usr/include/z3.h
    cvc5:cvc5
    libjansson-dev:/usr/include/jansson.h
    libyaml-dev:/usr/include/yaml.h
    libc6-dev:/usr/include/stdio.h
)
test_packages=(
    libcmocka-dev:/usr/include/cmocka.h
    csmith:csmith
    libcsmith-dev:/usr/include/csmith/csmith.h
    python3:python3
    python3-yaml:/usr/lib/python3/dist-packages/yaml/__init__.py
    clang-format-19:clang-format-19
    clang-tidy-19:clang-tidy-19
    cppcheck:cppcheck
    codespell:codespell
)
# 32-bit headers, for --data-model ILP32
[[ $HOSTTYPE == x86_64 ]] && packages+=(libc6-dev-i386:/usr/include/x86_64-linux-gnu/gnu/stubs-32.h)
# for tests of races
[[ $HOSTTYPE == x86_64 ]] && test_packages+=(libclang-rt-19-dev:/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.tsan-x86_64.a)

missing_packages() {
    local entry probe
    for entry; do
        probe=${entry#*:}
        if [[ $probe == /* ]]; then [[ -e $probe ]]; else command -v "$probe" >/dev/null; fi || echo "${entry%%:*}"
    done
}

install_packages() {
    local sudo=()
    echo "heddle: installing from the distribution's packages: $*" >&2
    if ((EUID != 0)); then
        if command -v sudo >/dev/null; then sudo=(sudo); else
            echo "heddle: this needs root; run as root: apt-get install $*" >&2
            exit 3
        fi
    fi
    local log=$root/build/install.log
    local get=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
    local install=("${get[@]}" install --no-install-recommends "$@")
    # An installation that was killed is finished first: apt-get refuses to work until then.
    "${install[@]}" >"$log" 2>&1 ||
        { "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a && "${get[@]}" update && "${install[@]}"; } >"$log" 2>&1 || {
        cat "$log" >&2
        echo "heddle: apt-get could not install: $*" >&2
        exit 3
    }
}

# One at a time. What a killed run has started goes on to the end, and holds the lock until then.
take_lock() {
    mkdir -p "$root/build"
    exec 9>"$root/build/.lock"
    flock -n 9 && return
    echo "heddle: waiting for another run that installs or builds …" >&2
    flock 9
}

# setup_packages PACKAGE:PROBE… : one installs at a time, the others wait
setup_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    command -v apt-get >/dev/null || {
        echo "heddle: missing: ${missing[*]}; there is no apt-get here, please install them" >&2
        exit 3
    }
    take_lock
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
    exec 9>&-
}

# build TARGET… : under a lock; messages go to stderr, and only when there is something to do
build() {
    make -C "$root" --no-print-directory -q "$@" >/dev/null 2>&1 && return 0
    take_lock
    if ! make -C "$root" --no-print-directory -q "$@" >/dev/null 2>&1; then
        echo "heddle: building …" >&2
        make -C "$root" --no-print-directory -j"$(nproc)" "$@" >"$root/build/log" 2>&1 || {
            cat "$root/build/log" >&2
            echo "heddle: the build failed" >&2
            exit 4
        }
    fi
    exec 9>&-
}
