# SPDX-License-Identifier: Apache-2.0
# Every file that an option asks for is written whole or keeps what it had; what fails is named, and the exit code is 4, never that of the verdict.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c "$dir/unsafe.c"; cp ../../examples/locked_counter.c "$dir/safe.c"
cd "$dir" || exit
mkdir folder
try() { "$HEDDLE" -q -p unreach-call "$@" 2>&1 | sed 's/  [0-9.]* s$/  T s/'; echo "exit ${PIPESTATUS[0]}"; }
for option in json sarif html witness trace certificate; do
    program=unsafe.c; [[ $option == certificate ]] && program='-e redcomp safe.c'
    echo "# --$option"
    echo old >kept
    (ulimit -f 1; try --$option kept $program; try --$option fresh $program)
    cat kept
    [[ -e fresh ]] && echo "a part is there"
    for place in nowhere/file folder /dev/full; do try --$option $place $program; done
    try --$option kept $program; grep -cx old kept
done
echo '# several at once: what can be written is'
try --json nowhere/a --sarif b.sarif --html folder --witness w.yml --trace t unsafe.c
ls b.sarif w.yml t
echo '# what is left'
ls -A
