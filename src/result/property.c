/* SPDX-License-Identifier: Apache-2.0 */
/* A .prp file has one or more lines CHECK( init(main()), LTL(formula) ). Blanks are ignored. */
#include "result/property.h"
#include "base/file.h"
#include "base/nearest.h"
#include "result/messages.h"
#include <ctype.h>
#include <string.h>

static const char *const names[] = {
    [PROPERTY_UNREACH_CALL] = "unreach-call",       [PROPERTY_NO_DATA_RACE] = "no-data-race", [PROPERTY_NO_DEADLOCK] = "no-deadlock",
    [PROPERTY_VALID_MEMSAFETY] = "valid-memsafety", [PROPERTY_NO_OVERFLOW] = "no-overflow",   [PROPERTY_TERMINATION] = "termination",
};

static const char *const parts[NPARTS] = {"valid-deref", "valid-free", "valid-memtrack",
                                          "valid-memcleanup"}; /* by the number of the part's bit */

static const struct {
    const char *formula;
    Property property;
    unsigned part;
} formulas[] = {
    {"G!call(reach_error())", PROPERTY_UNREACH_CALL, 0},
    {"G!call(__VERIFIER_error())", PROPERTY_UNREACH_CALL, 0},
    {"G!data-race", PROPERTY_NO_DATA_RACE, 0},
    {"G!deadlock", PROPERTY_NO_DEADLOCK, 0},
    {"Gvalid-deref", PROPERTY_VALID_MEMSAFETY, PART_DEREF},
    {"Gvalid-free", PROPERTY_VALID_MEMSAFETY, PART_FREE},
    {"Gvalid-memtrack", PROPERTY_VALID_MEMSAFETY, PART_MEMTRACK},
    {"Gvalid-memcleanup", PROPERTY_VALID_MEMSAFETY, PART_MEMCLEANUP},
    {"G!overflow", PROPERTY_NO_OVERFLOW, 0},
    {"Fend", PROPERTY_TERMINATION, 0},
};

const char *property_name(Property p) { return names[p]; }

/* ---- parts ---- */

const char *property_part(unsigned part) { return part ? parts[__builtin_ctz(part)] : NULL; }

const char *property_text(Property p, unsigned asked) {
    static const char *const sums[1 << NPARTS] = {
        "valid-memsafety",
        "valid-deref",
        "valid-free",
        "valid-deref,valid-free",
        "valid-memtrack",
        "valid-deref,valid-memtrack",
        "valid-free,valid-memtrack",
        "valid-memsafety",
        "valid-memcleanup",
        "valid-deref,valid-memcleanup",
        "valid-free,valid-memcleanup",
        "valid-deref,valid-free,valid-memcleanup",
        "valid-memtrack,valid-memcleanup",
        "valid-deref,valid-memtrack,valid-memcleanup",
        "valid-free,valid-memtrack,valid-memcleanup",
        "valid-memsafety,valid-memcleanup",
    };
    return p == PROPERTY_VALID_MEMSAFETY ? sums[asked] : names[p];
}

static void add_property(unsigned *set, Property p, unsigned part) {
    if (p == PROPERTY_VALID_MEMSAFETY) *set |= (part ? part : PARTS_USUAL) << PARTS_SHIFT;
    *set |= 1u << p;
}

/* Replaces the usual parts by 0. */
static void tidy_parts(unsigned *set) {
    if (*set >> PARTS_SHIFT == PARTS_USUAL) *set &= (1u << PARTS_SHIFT) - 1;
}

/* ---- names and formulas ---- */

static bool property_find(const char *name, Property *p) {
    for (unsigned i = 0; i < NPROPERTIES; i++)
        if (!strcmp(names[i], name)) {
            *p = (Property)i;
            return true;
        }
    return false;
}

static bool formula_find(const char *formula, size_t length, unsigned *set) {
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strlen(formulas[i].formula) == length && !strncmp(formulas[i].formula, formula, length)) {
            add_property(set, formulas[i].property, formulas[i].part);
            return true;
        }
    return false;
}

bool properties_of_text(const char *text, const char *where, unsigned *set, Buf *error) {
    static const char check[] = "CHECK(init(main()),LTL(";
    Buf squeezed = {0};
    unsigned found = 0;
    bool ok = true;
    for (; *text; text++)
        if (!isspace((unsigned char)*text)) buf_char(&squeezed, *text);
    for (const char *s = buf_string(&squeezed); ok && (s = strstr(s, check)); found++) {
        s += strlen(check);
        const char *end = strstr(s, "))CHECK(");
        size_t length = end ? (size_t)(end - s) : strlen(s) < 2 ? 0 : strlen(s) - 2;
        ok = formula_find(s, length, set);
        if (!ok) buf_printf(error, MSG_RESULT_FORMULA_UNKNOWN, where, (int)(length < 80 ? length : 80), s);
    }
    tidy_parts(set);
    if (ok && !found) buf_printf(error, MSG_RESULT_NO_FORMULA, where);
    buf_free(&squeezed);
    return ok && found;
}

static bool property_file(const char *path, unsigned *set, Buf *error) {
    Buf text = {0};
    bool ok = file_read(path, FILE_TEXT, &text, error);
    while (error->length && error->text[error->length - 1] == '\n') error->text[--error->length] = 0;
    ok = ok && properties_of_text(buf_string(&text), path, set, error);
    buf_free(&text);
    return ok;
}

static bool property_named(const char *text, size_t n, unsigned *set, Buf *error) {
    enum { LONGEST = 80 };
    char name[LONGEST + 1] = "";
    if (n <= LONGEST) memcpy(name, text, n);
    Property p;
    if (property_find(name, &p)) {
        add_property(set, p, 0);
        return true;
    }
    for (unsigned i = 0; i < NPARTS; i++)
        if (!strcmp(name, parts[i])) {
            add_property(set, PROPERTY_VALID_MEMSAFETY, 1u << i);
            return true;
        }
    for (unsigned i = 0; i < NPROPERTIES && !strcmp(name, "all"); i++)
        if (i != PROPERTY_TERMINATION) add_property(set, (Property)i, 0);
    if (!strcmp(name, "all")) return true;
    const char *near = nearest_word(name, names, NPROPERTIES);
    if (!near) near = nearest_word(name, parts, NPARTS);
    if (near) buf_printf(error, MSG_RESULT_PROPERTY_NEAR, (int)n, text, near);
    else buf_printf(error, MSG_RESULT_PROPERTY_UNKNOWN, (int)n, text);
    return false;
}

bool properties_find(const char *text, unsigned *set, Buf *error) {
    size_t n = strlen(text);
    *set = 0;
    if ((n > 4 && !strcmp(text + n - 4, ".prp")) || strchr(text, '/')) return property_file(text, set, error);
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!property_named(text, length, set, error)) return false;
        if (!text[length]) break;
        text += length + 1;
    }
    tidy_parts(set);
    return true;
}
