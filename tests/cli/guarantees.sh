dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
"$HEDDLE" -q -p unreach-call -e threader --json "$dir/out.json" --html "$dir/out.html" ../c/engines/threader/threader_places.c >/dev/null; echo "exit $?"
python3 - "$dir" <<'END'
import json, sys
proof = json.load(open(sys.argv[1] + '/out.json'))['proof']
print(proof['rule'], proof['kind'])
for t in proof['guarantees']:
    print(t['thread'], 'relies on', ', '.join(t['relies_on']), len(t['guarantees']) > 0)
print(all(p['at'] and p['holds'] for p in proof['places']), '"rely"' in open(sys.argv[1] + '/out.html').read())
END
