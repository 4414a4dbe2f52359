# Names that cvc5 has taken are the program's all the same.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
printf '(var update push sin Int)\n(assume (= update push 0))\n(par (set! update (+ update 1)) (set! push (+ push 1)))\n(set! sin (+ update push))\n(assume (not (= sin 2)))\n' > "$dir/names.wvr"
"$HEDDLE" -p unreach-call -e weave --second-solver -q "$dir/names.wvr" | sed 's/ [0-9.]* s$//'
