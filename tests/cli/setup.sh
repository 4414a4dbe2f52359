# SPDX-License-Identifier: Apache-2.0
# A first build that is killed at any moment, or that another one meets, leaves a tree that builds. The compilers here are stand-ins that
# write half of a file, wait, and write the rest; a link of anything that is not whole fails.
top=$(cd ../.. && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/tools" "$tree/src/front/model" "$tree/src/cc" "$tree/src/run" "$tree/bin"
cp "$top/heddle" "$top/Makefile" "$tree"
cp "$top/tools/setup.sh" "$tree/tools"
touch "$tree/src/run/effects.tsv" "$tree/src/run/effects.h" "$tree/tools/effects.awk"
touch "$tree/src/main.c" "$tree/src/cc/main.c" "$tree"/src/{a,b,c,d}.c "$tree/src/front/load.c" "$tree/src/front/x.c" "$tree/src/front/model/m.c"
cat >"$tree/bin/compiler" <<'FAKE'
#!/bin/bash
out= list= inputs=()
while (($#)); do
    case $1 in
    -o) out=$2; shift ;;
    -MF) list=$2; shift ;;
    -MT) target=$2; shift ;;
    *.c|*.o|*.bc) inputs+=("$1") ;;
    esac
    shift
done
[[ $out ]] || exit 0
for f in "${inputs[@]}"; do
    [[ $f == *.c ]] || [[ $(tail -n 1 "$f") == 'echo whole' ]] || { echo "$f is not whole"; exit 1; }
done
echo "#!/bin/bash" >"$out"
[[ $list ]] && { echo "$target:" | head -c 3; sleep 0.01; echo "$target: ${inputs[0]}" | tail -c +4; } >"$list"
sleep 0.02
echo "echo whole" >>"$out"
chmod +x "$out"
FAKE
chmod +x "$tree/bin/compiler"
printf '#!/bin/bash\nexec compiler -o "$2" "${@:3}"\n' >"$tree/bin/ar"
printf '#!/bin/bash\n' >"$tree/bin/objcopy"
chmod +x "$tree/bin/ar" "$tree/bin/objcopy"
for name in gcc ld clang-19 llvm-link-19 llvm-config-19; do ln -s compiler "$tree/bin/$name"; done
export PATH=$tree/bin:$PATH
unset MAKEFLAGS MAKELEVEL BUILD

for moment in 0.04 0.07 0.10 0.13 0.16 0.19 0.22 0.25 0.28 0.33; do
    rm -rf "$tree/build"
    setsid "$tree/heddle" >/dev/null 2>&1 &
    group=$!
    sleep "$moment"
    kill -9 -- "-$group" 2>/dev/null
    wait "$group" 2>/dev/null
    "$tree/heddle" 2>/dev/null || { echo "killed after $moment s"; cat "$tree/build/log"; }
done

echo "== two at once"
rm -rf "$tree/build"
"$tree/heddle" 2>/dev/null &
"$tree/heddle" 2>/dev/null
wait
echo "== two of make, which takes no lock"
rm -rf "$tree/build"
make -s -C "$tree" -j2 all >/dev/null &
make -s -C "$tree" -j2 all >/dev/null
wait
"$tree/heddle" 2>/dev/null
