# Inputs that are no programs, or no files: exit code 3 and a message, at once; what never comes is waited for until the time limit.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
ir=$PWD/../ir
cd "$dir"
try() { echo "\$ heddle $*"; "$HEDDLE" -p unreach-call "$@" 2>&1; echo "exit $?"; }
for device in zero urandom; do
    for kind in hir wvr ll bc c prp; do ln -s /dev/$device $device.$kind; done
done
echo 'int main(void) { return 0; }' >good.c
start=$SECONDS
for device in zero urandom; do
    for kind in hir wvr ll bc c; do try -q $device.$kind; done
    try -q -p $device.prp good.c
    try -q --replay /dev/$device good.c
done
((SECONDS - start <= 30)) || echo "took too long: $((SECONDS - start)) s"

echo '# a pipe'
mkfifo pipe.hir pipe.c pipe.prp
yes '// and so on' >pipe.hir & try -q pipe.hir
cp "$ir/alive_again.hir" . && cat alive_again.hir >pipe.hir & try -q pipe.hir
cat good.c >pipe.c & try -q pipe.c
try -q --timeout 1 pipe.hir
try -q --timeout 1 pipe.c
try -q --timeout 1 -p pipe.prp good.c

echo '# LLVM code'
printf 'BC\xc0\xde' >four.bc
printf 'B' >one.bc
printf '\0\0' >nul.ll
clang-19 -c -emit-llvm -o whole.bc good.c
head -c 1000 whole.bc >half.bc
for file in four.bc one.bc nul.ll half.bc; do "$HEDDLE" -p unreach-call -q $file 2>message; echo "$file: exit $?, $(head -1 message | cut -d: -f1)"; done
try -q whole.bc

echo '# source that is named and is not there to be read'
mkfifo line
printf '#include <assert.h>\n# 1 "line"\nint main(void) { assert(0); }\n# 1 "/dev/zero"\nint x;\n' >named.c
try -q --timeout 60 named.c
wait
