# SPDX-License-Identifier: Apache-2.0
# Makes wrappers of the functions in src/run/effects.tsv: awk -F '\t' -f effects.awk effects.tsv
BEGIN {
    print "/* Made from effects.tsv. */"
    print "#include \"run/effects.h\""
}
/^#/ { next }
{
    n = split($2, effects, " ")
    before = after = ""
    for (i = 1; i <= n; i++) {
        line = "    effects_observe(\"" effects[i] "\", arguments, result, CALLER);\n"
        if (effects[i] ~ /=/) after = after line
        else before = before line
    }
    print "EXPORTED Word " $1 "(Word, Word, Word, Word, Word, Word);"
    print "EXPORTED Word " $1 "(Word a, Word b, Word c, Word d, Word e, Word f) {"
    print "    static Function *next;"
    print "    if (!next) next = (Function *)base_next_definition(\"" $1 "\");"
    print "    if (!effects_are_observed(CALLER)) return next(a, b, c, d, e, f);"
    print "    const Word arguments[] = {a, b, c, d, e, f};"
    print "    Word result = 0;"
    printf "%s", before
    print "    result = next(a, b, c, d, e, f);"
    printf "%s", after
    print "    return result;"
    print "}"
}
