/* SPDX-License-Identifier: Apache-2.0 */
/* Models <ctype.h> in the C locale. The C library's macros read a table of character classes, from -128 to 255, but C defines them only
   for EOF and the unsigned characters. */
#include "heddle.h"

enum {
    UPPER = 0x100,
    LOWER = 0x200,
    ALPHA = 0x400,
    DIGIT = 0x800,
    XDIGIT = 0x1000,
    SPACE = 0x2000,
    PRINT = 0x4000,
    GRAPH = 0x8000,
    BLANK = 1,
    CNTRL = 2,
    PUNCT = 4,
    ALNUM = 8,
    MARK = PRINT | GRAPH | PUNCT,
    NUMERAL = PRINT | GRAPH | ALNUM | DIGIT | XDIGIT,
    CAPITAL = PRINT | GRAPH | ALNUM | ALPHA | UPPER,
    SMALL = PRINT | GRAPH | ALNUM | ALPHA | LOWER
};
#define AT(c) [1 + (c)]
#define FROM(a, b) [1 + (a)... 1 + (b)]
static const unsigned short classes[257] = {
    FROM(0, 8) = CNTRL,
    AT('\t') = CNTRL | SPACE | BLANK,
    FROM('\n', '\r') = CNTRL | SPACE,
    FROM(14, 31) = CNTRL,
    AT(' ') = SPACE | BLANK | PRINT,
    FROM('!', '/') = MARK,
    FROM('0', '9') = NUMERAL,
    FROM(':', '@') = MARK,
    FROM('A', 'F') = CAPITAL | XDIGIT,
    FROM('G', 'Z') = CAPITAL,
    FROM('[', '`') = MARK,
    FROM('a', 'f') = SMALL | XDIGIT,
    FROM('g', 'z') = SMALL,
    FROM('{', '~') = MARK,
    AT(127) = CNTRL,
};
static const unsigned short *const table = &classes[1];
MODEL const unsigned short *const *__ctype_b_loc(void) { return &table; }

static int is(int c, int class) { return classes[1 + c] & class; }
static int any_true(int value) {
    if (value == 0) return 0;
    return any_like(__heddle_choose() ? 1 : -1);
}
/* Any number but zero is true. */
#define IS(c, class) (__heddle_use() == MATTERS ? any_true(is(c, class)) : is(c, class))
MODEL int isalnum(int c) { return IS(c, ALNUM); }
MODEL int isalpha(int c) { return IS(c, ALPHA); }
MODEL int isblank(int c) { return IS(c, BLANK); }
MODEL int iscntrl(int c) { return IS(c, CNTRL); }
MODEL int isdigit(int c) { return IS(c, DIGIT); }
MODEL int isgraph(int c) { return IS(c, GRAPH); }
MODEL int islower(int c) { return IS(c, LOWER); }
MODEL int isprint(int c) { return IS(c, PRINT); }
MODEL int ispunct(int c) { return IS(c, PUNCT); }
MODEL int isspace(int c) { return IS(c, SPACE); }
MODEL int isupper(int c) { return IS(c, UPPER); }
MODEL int isxdigit(int c) { return IS(c, XDIGIT); }
MODEL int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
MODEL int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }
