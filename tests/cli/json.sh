dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c "$dir" && cd "$dir"
"$HEDDLE" -p unreach-call --json - lost_update.c >out.json; echo "exit $?"
python3 - <<'END'
import json
r = json.load(open('out.json'))
print(r['verdict'], r['property'], r['files'], r['data_model'], r['engine'], sorted(r))
print(r['trace']['threads'], r['trace']['error']['line'] > 0, {a['kind'] for s in r['trace']['steps'] for a in s['accesses']} >= {'create', 'read', 'write'})
print(all(s['file'] == 'lost_update.c' and s['line'] for s in r['trace']['steps']))
END
