# The engine impact: verdicts in all its configurations, and what reductions are worth.
count() {
    "$HEDDLE" -p unreach-call -e impact --json - -q "$@" | python3 -c 'import json, sys
r = json.loads("{" + sys.stdin.read().split("{", 1)[1])
print(r["verdict"], r["stats"].get("tree_nodes", 0), r["stats"].get("cover_expansions", 0), r["stats"].get("conditional", 0))'
}
for file in ../c/engines/impact/cover_expansion.c ../c/engines/impact/table_indices.c ../bench/impara/peterson.c; do
    echo "$file"
    for por in sleep monotonic static none; do
        count --impact-por $por "$file"
        count --impact-por $por --impact-force-cover no --impact-constants no --impact-order switches "$file"
    done | cut -d' ' -f1 | sort | uniq -c | sed 's/^ */  /'
done

compare() { # text, the smaller one, the larger one
    [ "$2" -lt "$3" ] && echo "$1" || echo "NOT $1: $2 $3"
}
plain="--reduction no --impact-constants no"
nodes() { count $plain "$@" ../bench/impara/dekker.c | cut -d' ' -f2; }
s=$(nodes --impact-por none --impact-force-cover no)
sf=$(nodes --impact-por none)
d=$(nodes --impact-por monotonic --impact-force-cover no)
df=$(nodes --impact-por monotonic)
compare "force cover pays" $sf $s
compare "monotonic paths pay" $d $s
compare "both together pay more than force cover" $df $sf
compare "both together pay more than monotonic paths" $df $d
set -- $(count $plain --impact-por monotonic ../c/engines/impact/cover_expansion.c)
compare "there are cover expansions" 0 $3
set -- $(count ../c/engines/impact/table_indices.c)
compare "steps commute for reasons of the path" 0 $4
compare "which saves nodes" $2 $(count --impact-por static ../c/engines/impact/table_indices.c | cut -d' ' -f2)
