# SPDX-License-Identifier: Apache-2.0
# --replay: the same program by another path, another property, another program, a trace that was cut.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c ../../examples/locked_counter.c "$dir"; cd "$dir"; mkdir sub
try() { echo "\$ heddle $*" | sed "s|$dir|DIR|"; "$HEDDLE" "$@" 2>&1; echo "exit $?"; }
try -q -p unreach-call --trace t lost_update.c
try -q --replay t ./lost_update.c
(cd sub && try -q --replay ../t "$dir/lost_update.c" && try -q --replay ../t ../lost_update.c)
cp lost_update.c sub/lost_update.c; try -q --replay t sub/lost_update.c
try -q -p no-data-race --replay t lost_update.c
try -q --replay t locked_counter.c
head -8 t >short; try --replay short lost_update.c
