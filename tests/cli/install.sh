# An installed heddle finds its C front end and its models.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/lib/heddle" "$dir/share/heddle"
cp "$HEDDLE" "$dir/bin" && cp "$(dirname "$HEDDLE")"/heddle-c.so "$dir/lib/heddle" && cp "$(dirname "$HEDDLE")"/model-*.bc "$dir/share/heddle"
ln -s "$dir/bin/heddle" "$dir/link"
"$dir/link" -q ../../examples/lost_update.c
"$dir/link" -q --data-model ILP32 ../../examples/lost_update.c
