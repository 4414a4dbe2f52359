# make install: an installed heddle finds its C front end and its models; a program is built with libheddle by pkg-config and runs it; the man page and the
# completions know every option.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir "$dir/a b"; touch "$dir/a b/a b c"
top=$(cd ../.. && pwd); build=$(dirname "$HEDDLE")
make -s -C "$top" BUILD="$build" -o all EXTRA= OPTIMIZE=-O1 DESTDIR="$dir" PREFIX=/usr install >"$dir/log" 2>&1 || cat "$dir/log"
(cd "$dir/usr" && find . -type f -o -type l | grep -v examples/ | LC_ALL=C sort)
make -s -C "$top" BUILD="$build" -o all EXTRA= OPTIMIZE=-O1 DESTDIR="$dir/a b" PREFIX=/usr install >"$dir/log" 2>&1 || cat "$dir/log"
diff -r "$dir/usr" "$dir/a b/usr"; rm -r "$dir/a b/usr"
ln -s "$dir/usr/bin/heddle" "$dir/link"
"$dir/link" -p unreach-call -q ../../examples/lost_update.c
"$dir/link" -p unreach-call -q --data-model ILP32 ../../examples/lost_update.c

export PKG_CONFIG_PATH=$dir/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$dir
gcc -Wall -o "$dir/use" library.c $(pkg-config --cflags --libs heddle) -Wl,-rpath,"$dir/usr/lib" && PATH=$dir/usr/bin:$PATH HEDDLE= "$dir/use" "$top/examples/locked_counter.c"
ls -d /tmp/heddle-?????? 2>/dev/null | head -1

"$HEDDLE" --help | sed -n 's/^  .*  *--\([a-z-]*\).*/--\1/p' | sort -u >"$dir/options"
for page in man/man1/heddle.1 bash-completion/completions/heddle zsh/vendor-completions/_heddle; do
    sed 's/\\-/-/g' "$dir/usr/share/$page" | grep -o -- '--[a-z][a-z-]*' | sort -u | comm -23 "$dir/options" - | sed "s|^|$page has no |"
done
bash -c '. "$1"; complete() { :; }; COMPREPLY=(); _heddle heddle --wit ""; echo "${COMPREPLY[@]}"; _heddle heddle g --witness-format; echo "${COMPREPLY[@]}"; _heddle heddle clean --dump-after; echo "${COMPREPLY[@]}"
cd "$2"; _heddle heddle "a b" heddle; printf "<%s>\n" "${COMPREPLY[@]}"' - "$dir/usr/share/bash-completion/completions/heddle" "$dir/a b"
