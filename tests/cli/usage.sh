# Errors of the command line: exit code 3, and what to do.
try() { echo "\$ heddle $*"; "$HEDDLE" -p unreach-call "$@" 2>&1; echo "exit $?"; }
try
try --propertty unreach-call x.c
try --timeout
try --timeout soon x.c
try --timeout=-1 x.c
try --data-model LP128 x.c
try --engine redcomp x.c
try --engine impakt x.c
try --memory-model power x.c
try --property no-datarace x.c
try --property nowhere.prp x.c
try --quiet=yes x.c
try -Z x.c
try --rule produce x.c
try --dump-chc x.c
try nowhere.c
try nowhere.hir
try .
touch a.hir b.hir; try a.hir b.hir; rm a.hir b.hir
