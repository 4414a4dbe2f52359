/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the reads of library functions. Output has no effect, and the name of a file does not matter; still, for memory safety and data
   races the text must be read. Reads that a function's model leaves out, or of a function without a model, are made here before the
   call. Constant texts need no read; neither do, for races, texts that no other thread can reach. */
#include "front/lower.h"
#include "front/messages.h"
#include <string.h>

/* The letters state for each argument what is read:
   - t: a text; o: a text or NULL; c: a struct timespec; h: an object that must exist; -: nothing;
   - b: as many bytes as the next argument; w: as many as the product of the next two; m: as many as the third.

   Arguments behind the last letter are not read. */
typedef struct Signature {
    const char *name, *letters;
} Signature;

static const Signature signatures[] = {
    {"puts", "t"},
    {"fputs", "th"},
    {"fputs_unlocked", "th"},
    {"fputc", "-h"},
    {"putc", "-h"},
    {"_IO_putc", "-h"},
    {"fputc_unlocked", "-h"},
    {"putc_unlocked", "-h"},
    {"fprintf", "h"},
    {"vfprintf", "h"},
    {"fwrite", "w--h"},
    {"perror", "o"},
    {"fgets", "--h"},
    {"fgetc", "h"},
    {"getc", "h"},
    {"ungetc", "-h"},
    {"fread", "---h"},
    {"fscanf", "h"},
    {"__isoc99_fscanf", "h"},
    {"__isoc23_fscanf", "h"},
    {"sscanf", "t"},
    {"__isoc99_sscanf", "t"},
    {"__isoc23_sscanf", "t"},
    {"setvbuf", "h"},
    {"setbuf", "h"},
    {"setlinebuf", "h"},
    {"fclose", "h"},
    {"feof", "h"},
    {"ferror", "h"},
    {"clearerr", "h"},
    {"fileno", "h"},
    {"fseek", "h"},
    {"fseeko", "h"},
    {"ftell", "h"},
    {"ftello", "h"},
    {"rewind", "h"},
    {"fopen", "tt"},
    {"fopen64", "tt"},
    {"fdopen", "-t"},
    {"getenv", "t"},
    {"secure_getenv", "t"},
    {"a64l", "t"},
    {"atof", "t"},
    {"nan", "t"},
    {"strcoll", "tt"},
    {"strverscmp", "tt"},
    {"memcmp", "mm"},
    {"bcmp", "mm"},
    {"nanosleep", "c"},
    {"clock_nanosleep", "--c"},
    {"thrd_sleep", "c"},
    {"pthread_setname_np", "-t"},
    {"prctl", "-t"},
    {"pthread_cond_init", "h"},
    {"pthread_cond_destroy", "h"},
    {"pthread_cond_signal", "h"},
    {"pthread_cond_broadcast", "h"},
    {"pthread_cond_wait", "h"},
    {"pthread_cond_timedwait", "h-c"},
    {"pthread_cond_clockwait", "h--c"},
    {"cnd_init", "h"},
    {"cnd_destroy", "h"},
    {"cnd_signal", "h"},
    {"cnd_broadcast", "h"},
    {"cnd_wait", "h"},
    {"cnd_timedwait", "h-c"},
    {"pthread_mutex_destroy", "h"},
    {"mtx_destroy", "h"},
    {"pthread_mutex_timedlock", "-c"},
    {"mtx_timedlock", "-c"},
    {"pthread_rwlock_timedrdlock", "-c"},
    {"pthread_rwlock_timedwrlock", "-c"},
    {"sem_timedwait", "-c"},
    {"pthread_timedjoin_np", "--c"},
    {"pthread_spin_destroy", "h"},
    {"pthread_rwlock_destroy", "h"},
    {"pthread_barrier_destroy", "h"},
    {"sem_destroy", "h"},
    {"sem_open", "t"},
    {"sem_unlink", "t"},
    {"sem_close", "h"},
    {"pthread_attr_destroy", "h"},
    {"pthread_mutexattr_destroy", "h"},
    {"pthread_condattr_destroy", "h"},
    {"pthread_rwlockattr_destroy", "h"},
    {"pthread_barrierattr_destroy", "h"},
    {"write", "-b"},
    {"pwrite", "-b"},
    {"pwrite64", "-b"},
    {"send", "-b"},
    {"connect", "-b"},
    {"bind", "-b"},
    {"access", "t"},
    {"catopen", "t"},
    {"chdir", "t"},
    {"chmod", "t"},
    {"chown", "t"},
    {"creat", "t"},
    {"euidaccess", "t"},
    {"faccessat", "-t"},
    {"getgrnam", "t"},
    {"getpwnam", "t"},
    {"if_nametoindex", "t"},
    {"inet_addr", "t"},
    {"link", "tt"},
    {"mkdir", "t"},
    {"mkfifo", "t"},
    {"mknod", "t"},
    {"open", "t"},
    {"open64", "t"},
    {"openat", "-t"},
    {"opendir", "t"},
    {"pathconf", "t"},
    {"remove", "t"},
    {"rename", "tt"},
    {"renameat", "-t-t"},
    {"rmdir", "t"},
    {"shm_open", "t"},
    {"shm_unlink", "t"},
    {"symlink", "tt"},
    {"truncate", "t"},
    {"unlink", "t"},
    {"unlinkat", "-t"},
    /* The arguments are only addresses, or memory whose format only the library knows. */
    {"mlock", ""},
    {"munlock", ""},
    {"posix_madvise", ""},
    {"closelog", ""},
};

static const char *signature_of(const char *name) {
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (!strcmp(signatures[i].name, name)) return signatures[i].letters;
    return NULL;
}

/* ---- one argument ---- */

static bool is_pointer(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind; }

/* True if no read is needed: only races are asked, and the memory is private. */
static bool unimportant(Lower *l, const Expr *address) { return !asks(l, FOR_MEMORY) && address_private(l, address); }

static void call_reader(Lower *l, const char *model, const Expr *pointer, const Expr *size) {
    const Expr **leaves[] = {&pointer, &size};
    LLVMValueRef function = LLVMGetNamedFunction(l->front->module, model);
    if (l->cursor.dead || unimportant(l, pointer)) return;
    if (function && !LLVMIsDeclaration(function)) enter_model(l, function, leaves, size ? 2 : 1);
    else emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_LIBRARY_READ);
}

static void read_text(Lower *l, const Expr *text, const Expr *most) {
    if (constant_string(l->front, text)) return;
    text = emit_hold(l, text);
    if (most) call_reader(l, "__heddle_read_most", text, emit_hold(l, most));
    else call_reader(l, "__heddle_read_text", text, NULL);
}

/* Reads at most `most` bytes (NULL: all) of a text that may be NULL. stops: a null pointer is undefined behaviour that is not modelled. */
static void read_text_if_any(Lower *l, const Expr *text, const Expr *most, bool stops) {
    Cursor some, none;
    if (constant_string(l->front, text) || unimportant(l, text)) return;
    if (most) most = emit_hold(l, most);
    text = emit_hold(l, text);
    emit_branch(l, expr_eq(l->pool, text, pointer_const(l->front, 0)), &none, &some);
    l->cursor = some;
    if (!some.dead) read_text(l, text, most);
    if (none.dead) return;
    if (stops) {
        Cursor after = l->cursor;
        l->cursor = none;
        emit_stop(l, APPROX_UNSUPPORTED, MSG_FRONT_NULL_TEXT);
        l->cursor = after;
        return;
    }
    unsigned meet = emit_location(l, LOCATION_PLAIN), depth = none.depth;
    if (!l->cursor.dead) emit_goto(l, meet);
    l->cursor = none;
    emit_goto(l, meet);
    l->cursor = (Cursor){.location = meet, .action = NONE, .depth = depth};
}

static void read_words(Lower *l, const Expr *address) {
    unsigned width = l->front->pointer_width;
    if (unimportant(l, address)) return;
    for (unsigned i = 0; i < 2; i++)
        load_scalar(l, address_add(l->front, address, i * width / 8), sort_bv(l->pool, width), width / 8, false);
}

static const Expr *number(Lower *l, LLVMValueRef call, unsigned i) {
    return as_pointer(l->front, value_of(l, LLVMGetOperand(call, i)), false);
}

static void read_argument(Lower *l, LLVMValueRef call, unsigned i, char letter) {
    LLVMValueRef argument = LLVMGetOperand(call, i);
    unsigned n = LLVMGetNumArgOperands(call);
    if (letter == '-' || !is_pointer(argument) || l->cursor.dead) return;
    const Expr *pointer = value_of(l, argument);
    if (letter == 't') read_text(l, pointer, NULL);
    else if (letter == 'o') read_text_if_any(l, pointer, NULL, false);
    else if (letter == 'c') read_words(l, pointer);
    else if (letter == 'h' && asks(l, FOR_MEMORY)) load_scalar(l, pointer, sort_bv(l->pool, 8), 1, true);
    else if (letter == 'b' && i + 1 < n) call_reader(l, "__heddle_read_bytes", emit_hold(l, pointer), emit_hold(l, number(l, call, i + 1)));
    else if (letter == 'm' && n > 2) call_reader(l, "__heddle_read_bytes", emit_hold(l, pointer), emit_hold(l, number(l, call, 2)));
    else if (letter == 'w' && i + 2 < n) {
        const Expr *size = expr_2(l->pool, OP_MUL, number(l, call, i + 1), number(l, call, i + 2));
        call_reader(l, "__heddle_read_bytes", emit_hold(l, pointer), emit_hold(l, size));
    }
}

/* ---- what main is given ---- */

static bool only_looked_at(LLVMValueRef word) {
    static const char *const names[] = {"printf", "fprintf", "puts", "fputs", "perror", "atoi", "atol", "strcmp", "strlen"};
    for (LLVMUseRef u = LLVMGetFirstUse(word); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u), callee = LLVMIsACallInst(user) ? strip_alias(LLVMGetCalledValue(user)) : NULL;
        bool known = false;
        for (size_t i = 0; callee && LLVMIsAFunction(callee) && i < sizeof names / sizeof *names; i++)
            known |= !strcmp(LLVMGetValueName(callee), names[i]);
        if (!known) return false;
    }
    return true;
}

/* True if the variable is used only to read one of the words of main's arguments. */
static bool only_words(LLVMValueRef variable, LLVMValueRef parameter) {
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef load = LLVMGetUser(u);
        if (LLVMIsAStoreInst(load) && LLVMGetOperand(load, 0) == parameter) continue;
        if (!LLVMIsALoadInst(load)) return false;
        for (LLVMUseRef v = LLVMGetFirstUse(load); v; v = LLVMGetNextUse(v)) {
            LLVMValueRef place = LLVMGetUser(v);
            if (!LLVMIsAGetElementPtrInst(place)) return false;
            for (LLVMUseRef x = LLVMGetFirstUse(place); x; x = LLVMGetNextUse(x))
                if (!LLVMIsALoadInst(LLVMGetUser(x)) || !only_looked_at(LLVMGetUser(x))) return false;
        }
    }
    return true;
}

/* True for one of the words that main is called with, in main, if they are only read: it exists, and no code writes it. */
static bool is_word_of_main(Lower *l, LLVMValueRef word) {
    LLVMValueRef place = LLVMIsALoadInst(word) ? LLVMGetOperand(word, 0) : NULL;
    LLVMValueRef base = place && LLVMIsAGetElementPtrInst(place) ? LLVMGetOperand(place, 0) : NULL;
    LLVMValueRef variable = base && LLVMIsALoadInst(base) ? LLVMGetOperand(base, 0) : NULL;
    LLVMValueRef function = l->frame->info->function;
    if (!variable || !LLVMIsAAllocaInst(variable) || strcmp(LLVMGetValueName(function), "main") || LLVMCountParams(function) < 2)
        return false;
    bool holds = false;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        holds |= LLVMIsAStoreInst(LLVMGetUser(u)) && LLVMGetOperand(LLVMGetUser(u), 0) == LLVMGetParam(function, 1);
    return holds && only_words(variable, LLVMGetParam(function, 1));
}

/* ---- formats ---- */

typedef struct Formatted {
    Lower *l;
    LLVMValueRef call;
    unsigned next; /* index of the next argument */
    bool unknown;  /* whether the format is not modelled */
} Formatted;

static LLVMValueRef take(Formatted *f) {
    if (f->next < LLVMGetNumArgOperands(f->call)) return LLVMGetOperand(f->call, f->next++);
    f->unknown = true;
    return NULL;
}

/* Skips a width or a precision, which is a number or an argument. */
static const char *skip_number(Formatted *f, const char *s, const Expr **value) {
    unsigned n = 0;
    if (*s == '*') {
        LLVMValueRef argument = take(f);
        *value = argument ? as_pointer(f->l->front, value_of(f->l, argument), true) : NULL;
        return s + 1;
    }
    for (; *s >= '0' && *s <= '9'; s++) n = n < 1000000 ? 10 * n + (unsigned)(*s - '0') : n;
    *value = pointer_const(f->l->front, n);
    return s;
}

/* Reads from behind the percent sign to the last character of the conversion. */
static const char *read_conversion(Formatted *f, const char *s) {
    const Expr *width, *precision = NULL;
    s += strspn(s, "-+ #0'");
    s = skip_number(f, s, &width);
    if (*s == '.') s = skip_number(f, s + 1, &precision);
    bool wide = false;
    for (; *s && strchr("hlLqjzt", *s); s++) wide |= *s == 'l';
    if (*s == '%' || *s == 'm') return s;
    if (*s == '$' || !*s || *s == 'S' || (*s == 's' && wide)) f->unknown = true;
    if (f->unknown) return NULL;
    LLVMValueRef argument = take(f);
    if (*s != 's' || !argument) return s;
    if (is_pointer(argument) && is_word_of_main(f->l, argument)) return s;
    if (is_pointer(argument)) read_text_if_any(f->l, value_of(f->l, argument), precision, asks(f->l, FOR_MEMORY));
    else f->unknown = true;
    return s;
}

static void read_formatted(Lower *l, LLVMValueRef call, const char *name, unsigned at) {
    Formatted f = {.l = l, .call = call, .next = at + 1};
    if (LLVMGetNumArgOperands(call) <= at) return;
    const Expr *pointer = value_of(l, LLVMGetOperand(call, at));
    const char *s = constant_string(l->front, pointer);
    if (!s && LLVMGetNumArgOperands(call) == at + 1) call_reader(l, "__heddle_read_format", emit_hold(l, pointer), NULL);
    else if (!s) f.unknown = true;
    for (; s && *s && !f.unknown && !l->cursor.dead; s++)
        if (*s == '%' && !(s = read_conversion(&f, s + 1))) break;
    if (f.unknown) emit_doubt(l, arena_printf(l->front->scratch, MSG_FRONT_FORMAT, name));
}

/* ---- all ---- */

static void read_all(Lower *l, LLVMValueRef call, const char *name) {
    const char *letters = signature_of(name);
    for (unsigned i = 0; letters && letters[i] && i < LLVMGetNumArgOperands(call); i++) read_argument(l, call, i, letters[i]);
    if (!strcmp(name, "printf")) read_formatted(l, call, name, 0);
    else if (!strcmp(name, "fprintf") || !strcmp(name, "dprintf")) read_formatted(l, call, name, 1);
}

void read_arguments(Lower *l, LLVMValueRef call, const char *name) {
    bool formatted = !strcmp(name, "printf") || !strcmp(name, "fprintf") || !strcmp(name, "dprintf");
    if (!signature_of(name) && !formatted) return;
    for (Fork f = fork_by(l, FOR_READS); fork_next(l, &f);) {
        if (!asks(l, FOR_READS)) continue;
        for (Fork g = fork_by(l, FOR_MEMORY); fork_next(l, &g);) read_all(l, call, name);
    }
}

bool reads_are_known(Lower *l, LLVMValueRef call, const char *name) {
    if (signature_of(name)) return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (is_pointer(LLVMGetOperand(call, i)) && !constant_string(l->front, value_of(l, LLVMGetOperand(call, i)))) return false;
    return true;
}
