/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which functions of the library are cancellation points, and which threads may be cancelled. */
#include "front/cleanup.h"
#include "front/lower.h"
#include <stdio.h>
#include <string.h>

/* ---- cancellation points ---- */

/* Functions that are cancellation points by POSIX. Functions that wait for other threads are not listed, since their models check for
   requests: pthread_join, pthread_cond_wait, sem_wait and their variants, pause, pthread_testcancel. */
static const char points[] =
    " accept accept4 aio_suspend clock_nanosleep close connect creat epoll_pwait epoll_wait fdatasync fsync getmsg getpmsg mq_receive"
    " mq_send mq_timedreceive mq_timedsend msgrcv msgsnd msync nanosleep open openat poll ppoll pread preadv pselect"
    " pthread_timedjoin_np putmsg putpmsg pwrite pwritev read readv recv recvfrom recvmmsg recvmsg select sem_clockwait sem_timedwait"
    " send sendmmsg sendmsg sendto sigpause sigsuspend sigtimedwait sigwait sigwaitinfo sleep system tcdrain thrd_sleep usleep wait wait3 "
    "wait4"
    " waitid waitpid write writev ";

/* Functions that may be cancellation points. Read-write locks are not cancellation points in the C library. */
static const char perhaps[] =
    " access asctime asctime_r catclose catgets catopen chmod chown closedir closelog copy_file_range ctermid ctime ctime_r dlclose dlopen"
    " dprintf endgrent endhostent endpwent faccessat fchmod fchown fclose fcntl fdopen fflush fgetc fgetpos fgets fgetwc fgetws flock"
    " fmtmsg fopen fpathconf fprintf fputc fputs fputwc fputws fread freopen fscanf fseek fseeko fsetpos fstat fstatat ftell ftello"
    " ftruncate futimens fwprintf fwrite fwscanf getaddrinfo getc getc_unlocked getchar getchar_unlocked getcwd getdate getdelim"
    " getgrent getgrgid getgrgid_r getgrnam getgrnam_r gethostbyaddr gethostbyname gethostent gethostid gethostname getline getlogin"
    " getlogin_r getnameinfo getopt getopt_long getpwent getpwnam getpwnam_r getpwuid getpwuid_r gets getwc getwchar glob iconv_close "
    "iconv_open"
    " ioctl link linkat lio_listio localtime localtime_r lockf lseek lstat mkdir mkdirat mkdtemp mkfifo mknod mkostemp mkstemp mktime"
    " nftw opendir openlog pathconf pclose perror popen posix_fadvise posix_fallocate posix_madvise posix_openpt posix_spawn"
    " posix_spawnp printf psiginfo psignal putc putc_unlocked putchar putchar_unlocked puts putwc putwchar readdir readdir_r"
    " readlink readlinkat remove rename renameat rewind rewinddir rmdir scandir scanf seekdir semop semtimedop sendfile setgrent"
    " setpwent setvbuf splice stat strerror strerror_r strftime symlink symlinkat sync syncfs syslog tmpfile tmpnam truncate ttyname"
    " ttyname_r tzset ungetc ungetwc unlink unlinkat utime utimensat utimes vdprintf vfprintf vfscanf vfwprintf vprintf vscanf"
    " vsyslog vwprintf wcsftime wordexp wprintf wscanf ";

/* Strips what the C library adds to some names: open64, __isoc99_scanf. */
static const char *plain_name(const char *name, char *room, size_t size) {
    if (*name == '\1') name++;
    if (!strncmp(name, "__isoc99_", 9) || !strncmp(name, "__isoc23_", 9)) name += 9;
    size_t n = strlen(name);
    if (n > 2 && n < size && !strcmp(name + n - 2, "64")) {
        snprintf(room, size, "%.*s", (int)(n - 2), name);
        return room;
    }
    return name;
}

/* Returns the model that is called before the function, or NULL. */
static const char *model_before(LLVMValueRef function) {
    char room[40];
    if (!LLVMIsDeclaration(function)) return NULL;
    const char *name = plain_name(LLVMGetValueName(function), room, sizeof room);
    return lists_name(points, name) ? "__heddle_cancel_point" : lists_name(perhaps, name) ? "__heddle_cancel_maybe" : NULL;
}

static void call_before(LLVMModuleRef m, LLVMValueRef i, const char *model) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
    LLVMPositionBuilderBefore(b, i);
    build_model_call(m, b, model, NULL, 0);
    LLVMDisposeBuilder(b);
}

/* Inserts a call before all calls of the function. False if the function is also used in another way. */
static bool call_before_all(LLVMModuleRef m, LLVMValueRef function, const char *model) {
    bool only = true;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool called = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
        for (unsigned i = 0; called && i < LLVMGetNumArgOperands(user); i++) only &= LLVMGetOperand(user, i) != function;
        if (called && LLVMGetOperandUse(user, (unsigned)LLVMGetNumOperands(user) - 1) == u) call_before(m, user, model);
        only &= called;
    }
    return only;
}

void mark_cancellation_points(LLVMModuleRef m) {
    LLVMValueRef cancel = LLVMGetNamedFunction(m, "pthread_cancel");
    if (!cancel || !LLVMIsDeclaration(cancel) || !LLVMGetFirstUse(cancel)) return;
    bool only = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        const char *model = model_before(f);
        if (model) only &= call_before_all(m, f, model);
    }
    if (!only) call_before_all(m, cancel, "__heddle_cancel_by_pointer");
}

/* ---- which threads may be cancelled ---- */

static LLVMValueRef base_of(LLVMValueRef place) {
    while (LLVMIsAGetElementPtrInst(place) || (LLVMIsAConstantExpr(place) && LLVMGetConstOpcode(place) == LLVMGetElementPtr))
        place = LLVMGetOperand(place, 0);
    return place;
}

static bool is_create(Front *f, LLVMValueRef call) {
    const char *name = library_name(f, call);
    return !strcmp(name, "pthread_create") || !strcmp(name, "thrd_create");
}

/* True if the place may hold the number of a thread that starts with the function. */
static bool may_hold(Front *f, LLVMValueRef place, LLVMValueRef start) {
    for (LLVMUseRef u = LLVMGetFirstUse(place); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool step = LLVMIsAGetElementPtrInst(user) || (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
        if (LLVMIsALoadInst(user)) continue;
        if (step && LLVMGetOperand(user, 0) == place) {
            if (may_hold(f, user, start)) return true;
            continue;
        }
        if (!LLVMIsACallInst(user)) return true;
        if (!strncmp(LLVMGetValueName(LLVMGetCalledValue(user)), "llvm.dbg.", 9)) continue;
        unsigned n = LLVMGetNumArgOperands(user), at = n == 4 ? 2 : 1;
        if (!is_create(f, user) || n < 3 || LLVMGetOperand(user, 0) != place) return true;
        for (unsigned i = 1; i < n; i++)
            if (LLVMGetOperand(user, i) == place) return true;
        LLVMValueRef function = strip_alias(LLVMGetOperand(user, at));
        if (!LLVMIsAFunction(function) || function == start) return true;
    }
    return false;
}

/* True if this call of pthread_cancel may be for a thread that starts with the function. A variable that never holds the number of such
   a thread excludes it. */
static bool may_ask(Front *f, LLVMValueRef call, LLVMValueRef start) {
    LLVMValueRef thread = LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, 0) : NULL;
    if (!thread || !LLVMIsALoadInst(thread)) return true;
    LLVMValueRef place = base_of(LLVMGetOperand(thread, 0));
    bool own = LLVMIsAGlobalVariable(place) && LLVMGetInitializer(place) && LLVMIsNull(LLVMGetInitializer(place));
    return (!own && !LLVMIsAAllocaInst(place)) || may_hold(f, place, start);
}

static bool may_be_asked(Front *f, LLVMValueRef start) {
    LLVMValueRef cancel = LLVMGetNamedFunction(f->module, "pthread_cancel");
    for (LLVMUseRef u = cancel ? LLVMGetFirstUse(cancel) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != cancel || may_ask(f, user, start)) return true;
    }
    return false;
}

/* A thread that is about to end is not cancelled. Other threads can know the number of main only if main asks for it. */
bool may_be_cancelled(Lower *l) {
    if (!program_uses(l->front, "pthread_cancel")) return false;
    if (l->template_->index == 0 && !program_uses(l->front, "pthread_self") && !program_uses(l->front, "thrd_current")) return false;
    for (const Frame *f = l->frame; f; f = f->caller)
        if (f->info->model && (!strcmp(f->info->name, "__heddle_leave_thread") || !strcmp(f->info->name, "__heddle_at_thread_end")))
            return false;
    return may_be_asked(l->front, l->front->starts[l->template_->index]);
}
