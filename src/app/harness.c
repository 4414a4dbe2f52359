/* SPDX-License-Identifier: Apache-2.0 */
/* clang prints the parameters of the functions as JSON. The harness includes the files that define the functions, and so it has their
   types and can call static functions. */
#include "app/harness.h"
#include "app/messages.h"
#include "base/file.h"
#include "front/clang.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Function {
    char *name;
    const char *file;
    json_t *decl;
} Function;

typedef struct Harness {
    Function *functions; /* a vec */
    char **shared;       /* a vec: types of the objects that threads share, arrays as int[3] */
    char **holes;        /* a vec: types of which no object can be defined here, since they are incomplete */
    char **inputs;       /* a vec: arithmetic types of inputs, as in __VERIFIER_nondet_… */
} Harness;

/* ---- declarations that clang prints ---- */

/* Returns the definition of the function in the text, or NULL. The text is clang's output: JSON values with words between them. */
static json_t *find_decl(const Buf *text, const char *name) {
    json_t *found = NULL;
    for (const char *s = strchr(buf_string(text), '{'); s; s = strchr(s, '{')) {
        json_error_t where;
        json_t *one = json_loads(s, JSON_DISABLE_EOF_CHECK, &where);
        if (!one) break;
        const char *kind = json_string_value(json_object_get(one, "kind")), *word = json_string_value(json_object_get(one, "name"));
        bool body = false;
        for (size_t i = 0; i < json_array_size(json_object_get(one, "inner")); i++) {
            const char *part = json_string_value(json_object_get(json_array_get(json_object_get(one, "inner"), i), "kind"));
            body |= part && !strcmp(part, "CompoundStmt");
        }
        if (kind && word && !strcmp(kind, "FunctionDecl") && !strcmp(word, name) && body) {
            json_decref(found);
            found = json_incref(one);
        }
        json_decref(one);
        s += where.position;
    }
    return found;
}

static bool ask_clang(const Options *o, const char *file, const char *name, json_t **decl, Buf *error) {
    FrontOptions front = {
        .clang_flags = o->clang_flags, .nflags = (unsigned)vec_len(o->clang_flags), .ilp32 = o->data_model == DATA_ILP32, .show = name};
    Buf text = {0};
    bool good = clang_finish(clang_start(&front, file, false), &text, error);
    *decl = good ? find_decl(&text, name) : NULL;
    buf_free(&text);
    return good;
}

static bool add_function(Harness *h, const Options *o, char *name, Buf *error) {
    json_t *decl = NULL;
    size_t i = 0;
    for (; i < vec_len(o->files) && !decl; i++)
        if (!ask_clang(o, o->files[i], name, &decl, error)) break;
    if (decl) vec_push(h->functions, ((Function){.name = name, .file = o->files[i - 1], .decl = decl}));
    else {
        if (!error->length) buf_printf(error, MSG_APP_HARNESS_FUNCTION_UNKNOWN, name);
        free(name);
    }
    return decl;
}

/* ---- types ---- */

static size_t find_word(char ***list, const char *word) {
    for (size_t i = 0; i < vec_len(*list); i++)
        if (!strcmp((*list)[i], word)) return i;
    vec_push(*list, strdup(word));
    return vec_len(*list) - 1;
}

static const char *type_of(const json_t *parameter, bool plain) {
    const json_t *type = json_object_get(parameter, "type");
    const char *name = json_string_value(json_object_get(type, "qualType")),
               *desugared = json_string_value(json_object_get(type, "desugaredQualType"));
    return plain && desugared ? desugared : name ? name : "int";
}

/* Returns the word for an arithmetic type in __VERIFIER_nondet_…, or NULL for another type. */
static const char *input_word(const char *plain) {
    static const char *const list[][2] = {{"int", "int"},
                                          {"unsigned int", "uint"},
                                          {"long", "long"},
                                          {"unsigned long", "ulong"},
                                          {"long long", "longlong"},
                                          {"unsigned long long", "ulonglong"},
                                          {"short", "short"},
                                          {"unsigned short", "ushort"},
                                          {"char", "char"},
                                          {"signed char", "schar"},
                                          {"unsigned char", "uchar"},
                                          {"_Bool", "bool"},
                                          {"float", "float"},
                                          {"double", "double"}};
    if (!strncmp(plain, "const ", 6)) plain += 6;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!strcmp(plain, list[i][0])) return list[i][1];
    return NULL;
}

/* Returns the type that the pointer refers to, malloced: struct queue for const struct queue *. */
static char *pointee(const char *type) {
    if (!strncmp(type, "const ", 6)) type += 6;
    char *name = strdup(type), *end = strrchr(name, '*');
    if (!end) return name;
    while (end > name && end[-1] == ' ') end--;
    *end = 0;
    return name;
}

/* Returns whether the type has no name, as in struct { int x; } *p. */
static bool is_unnamed(const char *type) { return strstr(type, "(unnamed ") || strstr(type, "(anonymous "); }

static bool is_hole(const Harness *h, const char *type) {
    for (size_t i = 0; i < vec_len(h->holes); i++)
        if (!strcmp(h->holes[i], type)) return true;
    return is_unnamed(type);
}

/* Returns N for a parameter int name[N] or name[static N], and otherwise 0. Reads it from the file, since clang prints a pointer. */
static unsigned array_length(const char *file, const json_t *parameter) {
    const json_t *at = json_object_get(json_object_get(parameter, "loc"), "offset");
    const char *name = json_string_value(json_object_get(parameter, "name"));
    Buf text = {0}, error = {0};
    unsigned length = 0;
    size_t offset = (size_t)json_integer_value(at), n = name ? strlen(name) : 0;
    if (at && n && file_read(file, FILE_TEXT, &text, &error) && offset + n < text.length && !strncmp(text.text + offset, name, n)) {
        char end = 0, *s = text.text + offset + n;
        s += strspn(s, " \t");
        if (*s == '[') s += 1 + strspn(s + 1, " \t");
        else s = text.text + text.length;
        if (!strncmp(s, "static", 6)) s += 6;
        if (sscanf(s, "%9u %c", &length, &end) != 2 || end != ']') length = 0;
    }
    buf_free(&text);
    buf_free(&error);
    return length;
}

/* ---- the text ---- */

static bool is_parameter(const json_t *part) {
    const char *kind = json_string_value(json_object_get(part, "kind"));
    return kind && !strcmp(kind, "ParmVarDecl");
}

/* Adds a pointer to an object that the threads share. */
static void put_pointer(Harness *h, Buf *call, const char *file, const json_t *parameter) {
    char *object = pointee(type_of(parameter, true));
    bool bytes = !strcmp(object, "void") || !strcmp(object, "char");
    unsigned length = array_length(file, parameter);
    Buf type = {0};
    buf_text(&type, bytes ? "char" : object);
    if (length || bytes) buf_printf(&type, "[%u]", length ? length : 16);
    if (is_hole(h, buf_string(&type))) buf_printf(call, "NULL /* FILL IN: a pointer to %s */", object);
    else buf_printf(call, strchr(buf_string(&type), '[') ? "object_%zu" : "&object_%zu", find_word(&h->shared, buf_string(&type)) + 1);
    buf_free(&type);
    free(object);
}

/* Adds an argument to the call. Returns false if its type cannot be written. */
static bool put_argument(Harness *h, Buf *before, Buf *call, const char *file, const json_t *parameter, unsigned n) {
    const char *type = type_of(parameter, false), *plain = type_of(parameter, true),
               *name = json_string_value(json_object_get(parameter, "name"));
    const char *word = input_word(plain);
    if (call->length && call->text[call->length - 1] != '(') buf_text(call, ", ");
    if (word) {
        find_word(&h->inputs, word);
        buf_printf(before, "    %s %s_%u = __VERIFIER_nondet_%s(); /* any value; restrict it by __VERIFIER_assume(…) */\n", type,
                   name ? name : "argument", n, word);
        buf_printf(call, "%s_%u", name ? name : "argument", n);
    } else if (strstr(plain, "(*)") || strstr(plain, "**")) {
        buf_text(call, "NULL /* FILL IN */");
    } else if (strchr(plain, '*')) {
        put_pointer(h, call, file, parameter);
    } else if (is_unnamed(type)) {
        buf_printf(call, "%s", name ? name : "…");
        return false;
    } else {
        buf_printf(before, "    %s %s_%u; /* not initialised: any value */\n", type, name ? name : "argument", n);
        buf_printf(call, "%s_%u", name ? name : "argument", n);
    }
    return true;
}

static void put_thread(Harness *h, Buf *out, const Function *f, unsigned number) {
    Buf before = {0}, call = {0};
    const json_t *inner = json_object_get(f->decl, "inner");
    unsigned n = 0;
    bool good = true;
    buf_printf(&call, "%s(", f->name);
    for (size_t i = 0; i < json_array_size(inner); i++)
        if (is_parameter(json_array_get(inner, i))) good &= put_argument(h, &before, &call, f->file, json_array_get(inner, i), ++n);
    buf_printf(out, "static void *thread_%u(void *unused) {\n%s    %s%s);\n    return unused;\n}\n\n", number, buf_string(&before),
               good ? "" : "// FILL IN: a parameter's type has no name; give it one in the source, then call ", buf_string(&call));
    buf_free(&before);
    buf_free(&call);
}

static void put_includes(const Harness *h, const Options *o, Buf *out) {
    buf_text(out, "/* A harness with a thread for each function. Fill in the marked places, then run: heddle THIS-FILE -- FLAGS */\n"
                  "#define main main_of_the_program\n");
    for (size_t i = 0; i < vec_len(o->files); i++)
        for (size_t k = 0; k < vec_len(h->functions); k++) {
            if (h->functions[k].file != o->files[i]) continue;
            buf_printf(out, "#include \"%s\"\n", o->files[i]);
            break;
        }
    buf_text(out, "#undef main\n#include <assert.h>\n#include <pthread.h>\n#include <stddef.h>\n\n");
}

static void put_declarations(const Harness *h, Buf *out) {
    for (size_t i = 0; i < vec_len(h->inputs); i++) {
        static const char *const names[][2] = {
            {"uint", "unsigned int"},     {"ulong", "unsigned long"}, {"longlong", "long long"},  {"ulonglong", "unsigned long long"},
            {"ushort", "unsigned short"}, {"schar", "signed char"},   {"uchar", "unsigned char"}, {"bool", "_Bool"}};
        const char *type = h->inputs[i];
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (!strcmp(names[k][0], type)) type = names[k][1];
        buf_printf(out, "extern %s __VERIFIER_nondet_%s(void);\n", type, h->inputs[i]);
    }
    if (vec_len(h->inputs)) buf_text(out, "extern void __VERIFIER_assume(int);\n\n");
    for (size_t i = 0; i < vec_len(h->shared); i++) {
        int length = (int)strcspn(h->shared[i], "[");
        buf_printf(out, "static %.*s object_%zu%s; /* shared by the threads */\n", length, h->shared[i], i + 1, h->shared[i] + length);
    }
    if (vec_len(h->shared)) buf_char(out, '\n');
}

static void put_main(const Harness *h, Buf *out) {
    size_t n = vec_len(h->functions);
    buf_printf(out, "int main(void) {\n    pthread_t threads[%zu];\n    /* FILL IN: initialise the shared objects */\n", n);
    for (size_t i = 0; i < n; i++) buf_printf(out, "    pthread_create(&threads[%zu], NULL, thread_%zu, NULL);\n", i, i + 1);
    for (size_t i = 0; i < n; i++) buf_printf(out, "    pthread_join(threads[%zu], NULL);\n", i);
    buf_text(out, "    assert(1); /* FILL IN: the condition that must hold here */\n    return 0;\n}\n");
}

static void forget(char ***words) {
    for (size_t i = 0; i < vec_len(*words); i++) free((*words)[i]);
    vec_free(*words);
    *words = NULL;
}

static void put_threads(Harness *h, Buf *out) {
    buf_clear(out);
    forget(&h->shared);
    forget(&h->inputs);
    for (size_t i = 0; i < vec_len(h->functions); i++) put_thread(h, out, &h->functions[i], (unsigned)i + 1);
}

/* ---- incomplete types: clang is asked for their sizes, and reports the lines in which a type has no size ---- */

/* Returns the flags for the harness, as a vec: those of all files together. */
static const char **flags_of(const Options *o) {
    static const char *const first[] = {"-xc", "-iquote", ".", "-ferror-limit=0"};
    const char **flags = NULL;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) vec_push(flags, first[i]);
    for (size_t i = 0; i < vec_len(o->clang_flags); i++) {
        if (!strcmp(o->clang_flags[i], "--")) i++; /* and the file after it */
        else vec_push(flags, o->clang_flags[i]);
    }
    return flags;
}

static void find_holes(Harness *h, const Options *o) {
    Buf text = {0}, none = {0}, said = {0};
    put_includes(h, o, &text);
    buf_text(&text, "#line 1 \"heddle-sizes\"\n");
    for (size_t i = 0; i < vec_len(h->shared); i++) buf_printf(&text, "extern char size_%zu[sizeof(%s)];\n", i, h->shared[i]);
    int fd = memfd_create("sizes.c", 0);
    if (vec_len(h->shared) && fd >= 0 && file_put(fd, text.text, text.length)) {
        const char **flags = flags_of(o);
        FrontOptions front = {
            .clang_flags = flags, .nflags = (unsigned)vec_len(flags), .ilp32 = o->data_model == DATA_ILP32, .show = "heddle sizes"};
        Buf path = {0};
        buf_printf(&path, "/proc/self/fd/%d", fd);
        clang_finish(clang_start(&front, buf_string(&path), false), &none, &said);
        buf_free(&path);
        vec_free(flags);
    }
    for (size_t i = 0; i < vec_len(h->shared); i++) {
        char place[64];
        snprintf(place, sizeof place, "heddle-sizes:%zu:", i + 1);
        if (strstr(buf_string(&said), place)) vec_push(h->holes, strdup(h->shared[i]));
    }
    if (fd >= 0) close(fd);
    buf_free(&text);
    buf_free(&none);
    buf_free(&said);
}

bool harness_write(const Options *o, Buf *out, Buf *error) {
    Harness h = {0};
    Buf threads = {0};
    bool good = true;
    for (const char *s = o->harness; *s && good; s += *s == ',') {
        size_t length = strcspn(s, ",");
        if (length) good = add_function(&h, o, strndup(s, length), error);
        s += length;
    }
    if (good && !vec_len(h.functions)) {
        buf_text(error, MSG_APP_HARNESS_EMPTY);
        good = false;
    }
    if (good) {
        put_threads(&h, &threads);
        find_holes(&h, o);
        put_threads(&h, &threads);
        put_includes(&h, o, out);
        put_declarations(&h, out);
        buf_text(out, buf_string(&threads));
        put_main(&h, out);
    }
    for (size_t i = 0; i < vec_len(h.functions); i++) {
        free(h.functions[i].name);
        json_decref(h.functions[i].decl);
    }
    forget(&h.shared);
    forget(&h.inputs);
    forget(&h.holes);
    vec_free(h.functions);
    buf_free(&threads);
    return good;
}
