/* SPDX-License-Identifier: Apache-2.0 */
/* Lists functions of the C library and of POSIX that have no model, by their effects on a program. No listed function calls a function
   of the program, starts a thread, raises a signal, or keeps a pointer that it was given. No listed function changes a variable of the
   program by name; programs do not know the library's own variables, except errno. A function that is not listed may do anything. */
#include "front/lower.h"
#include <string.h>

/* Functions that only read, at most what their arguments point to. */
static const char only_reads[] =
    " a64l access acos acosf acosh asin asinf asinh atan atan2 atan2f atanf atanh atof atol atoll bind btowc catclose catopen cbrt"
    " cbrtf ceill chdir chmod chown close closedir closelog connect cos cosf cosh coshf cosl creat difftime div drand48"
    " dup dup2 dup3 erf erfc euidaccess exp exp2 exp2f expf expl expm1 expm1f fabsl faccessat fchdir fchmod fchown fclose fdatasync"
    " fdim fdopen feclearexcept fegetround feof feraiseexcept ferror fetestexcept ffs ffsl ffsll fgetc fileno flock floorl fma fmaf"
    " fopen64 fpathconf fpclassify fputc_unlocked fputs_unlocked fputwc fputws freeaddrinfo fsync ftell ftello ftok"
    " ftruncate gai_strerror getc getegid geteuid getgid getgrgid getgrnam gethostid getpgid getpgrp getppid"
    " getpriority getpwnam getpwuid getsid gettid getuid hypot hypotf if_nametoindex ilogb imaxabs"
    " inet_addr inet_ntoa isatty iswalnum iswalpha iswdigit iswspace ldexp ldexpf ldiv link listen lldiv llrint llround log log10"
    " log10f log1p log1pf log2 log2f logb logf logl lrint lrintf lround lroundf lseek lseek64 mblen memrchr mkdir mkfifo mknod"
    " mlock mlockall mrand48 msgget munlock munlockall nan nearbyint nextafter nice nl_langinfo open open64 openat"
    " opendir openlog pathconf pclose pidfd_open posix_fadvise posix_fallocate posix_madvise pow powf powl putc_unlocked"
    " putchar_unlocked putwchar pwrite pwrite64 random rawmemchr readahead remainder remove rename renameat rewinddir rint"
    " rintf rmdir scalbln scalbn sched_get_priority_max sched_get_priority_min sched_getcpu sched_setscheduler secure_getenv semget"
    " send sendmsg sendto setegid seteuid setgid setlinebuf setpgid setpriority setrlimit setsid setsockopt setuid shm_open"
    " shm_unlink shmget shutdown sigismember signbit sin sinf sinh sinhf sinl socket sqrtl srand48 srandom strcoll strsignal"
    " strverscmp symlink sync syncfs tan tanf tanh tanhf tanl tcflush tcgetpgrp tcsetpgrp telldir tgamma tmpfile truncate ttyname"
    " umask unlink unlinkat utimes wcschr wcscmp wcscoll wcslen wcsncmp wcsstr wctob write writev ";

/* Functions that also write what their arguments point to and, at most, variables of the library that programs can name (tzname). */
static const char only_arguments[] =
    " accept accept4 asctime asctime_r basename clock_getres clock_settime confstr ctime ctime_r fcntl fgetpos fgets_unlocked"
    " fgetwc fgetws fread_unlocked frexp fstat fstat64 fstatat fstatfs fstatvfs ftime futimens getaddrinfo getcwd getdelim"
    " getdents getdomainname getentropy getgroups gethostbyname gethostname getitimer getline getnameinfo getpeername getpwnam_r"
    " getpwuid_r getrandom getresgid getresuid getrlimit getrlimit64 getrusage getsockname getsockopt getwc getwd gmtime gmtime_r"
    " inet_aton inet_ntop inet_pton initgroups ioctl localtime localtime_r lstat lstat64 madvise mbrlen mbrtowc mbsrtowcs mbstowcs"
    " mbtowc memccpy mincore mkdtemp mkostemp mkstemp mktemp mktime modf modff mprotect msync pipe pipe2 poll popen ppoll pread"
    " pread64 preadv pselect pthread_attr_getstack pthread_attr_getstacksize pthread_getaffinity_np pthread_getattr_np"
    " pthread_getcpuclockid pthread_getname_np pthread_getschedparam ptsname readdir readdir_r readlink readlinkat readv realpath"
    " recv recvfrom recvmsg remquo sched_getaffinity sched_getparam sched_getscheduler sched_setaffinity sched_setparam select"
    " sendfile setlocale sigaddset sigdelset sigemptyset sigfillset sigpending sincos socketpair stat stat64 statfs statvfs statx"
    " strerror_r strfmon strfromd strftime strptime strsep strtod strtof strtoimax strtold strtoumax strxfrm swab swprintf sysinfo"
    " syslog tcgetattr tcsetattr timegm times tmpnam ttyname_r uname utime vsyslog wcrtomb wcscat wcscpy wcsftime wcsncpy wcsrtombs"
    " wcstod wcstol wcstombs wcstoul wctomb wmemcpy wmemset wprintf ";

bool lists_name(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; n && (at = strstr(at, name)); at += n)
        if (at[-1] == ' ' && at[n] == ' ') return true;
    return false;
}

bool libc_only_reads(const char *name) { return lists_name(only_reads, name); }

/* A function with this prefix gives information to verifiers: __VERIFIER_loop_bound(3). */
static const char for_verifiers[] = "__VERIFIER_";

bool is_for_verifiers(const char *name) { return !strncmp(name, for_verifiers, sizeof for_verifiers - 1); }

bool libc_only_arguments(const char *name) { return lists_name(only_arguments, name) || is_for_verifiers(name); }
