# SPDX-License-Identifier: Apache-2.0
# No output overwrites an input, and no two outputs go to one file: exit code 3, and nothing was written.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../ir/counter.hir "$dir/a.hir"; cd "$dir"
ln a.hir hard.hir; ln -s a.hir soft; ln -s nothing dangling; mkdir sub; ln -s ../same sub/link
try() { echo "\$ heddle $*"; "$HEDDLE" -q "$@" 2>&1 | grep -v '^heddle --help'; echo "exit ${PIPESTATUS[0]}"; }
for place in a.hir ./a.hir "$dir/a.hir" hard.hir soft; do "$HEDDLE" -q a.hir --json "$place" 2>&1 | head -1 | sed "s|$dir|DIR|"; done
"$HEDDLE" -q --trace t a.hir; try --replay t --trace sub/../t a.hir; rm t
cp a.hir bug.bc; try bug.bc --native .
try a.hir --json same --sarif same
try a.hir --json same --sarif ./sub/../same
try a.hir --json same --trace sub/link
try a.hir --html dangling --trace nothing
try a.hir --json - --sarif -
try a.hir --json - --sarif /dev/stdout
try a.hir --json /dev/null --sarif /dev/null
try a.hir --json one --sarif two
# nothing to be written
cp "$OLDPWD/../ir/lock.hir" b.hir; echo old >t; try b.hir --trace t; try -e explicit b.hir --certificate none; cat t
cmp a.hir bug.bc; ls
