# A reduction in words: who comes after whom.
"$HEDDLE" -p unreach-call -e weave ../ir/weave_lockstep.hir | sed -n '/^The explored interleavings/,$p'
