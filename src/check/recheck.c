/* SPDX-License-Identifier: Apache-2.0 */
/* Lets cvc5 discharge a certificate. cvc5 reads it from a file in memory, which exists as long as a process has it open, and writes a
   line for each query. Any line other than unsat is an objection. */
#include "check/proof.h"
#include "base/file.h"
#include "check/messages.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t questions(const char *certificate) {
    size_t n = 0;
    for (const char *p = certificate; (p = strstr(p, "\n(check-sat)")); p++) n++;
    return n;
}

/* Returns whether every line is unsat, and every query has a line. */
static bool all_unsat(FILE *answers, size_t expected, Buf *why_not) {
    char line[512];
    size_t n = 0;
    while (fgets(line, sizeof line, answers)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "unsat")) {
            buf_printf(why_not, MSG_CHECK_CVC5_ANSWER, n + 1, expected, line);
            return false;
        }
        n++;
    }
    if (n != expected) buf_printf(why_not, MSG_CHECK_CVC5_ANSWER, n + 1, expected, MSG_CHECK_CVC5_SILENT);
    return n == expected;
}

static pid_t start(int certificate, double seconds, int out) {
    pid_t pid = fork();
    if (pid) return pid;
    char limit[32];
    snprintf(limit, sizeof limit, "--tlimit=%.0f", seconds * 1000);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(certificate, 0);
    dup2(out, 1);
    execlp("cvc5", "cvc5", "--incremental", "--lang=smt2", limit, "/dev/stdin", (char *)NULL);
    dprintf(1, MSG_CHECK_CVC5_MISSING, strerror(errno));
    _exit(127);
}

static bool ask(int certificate, size_t expected, double seconds, Buf *why_not) {
    int ends[2];
    if (pipe(ends)) {
        buf_printf(why_not, MSG_CHECK_CVC5_FAILS, strerror(errno));
        return false;
    }
    pid_t pid = start(certificate, seconds > 1 ? seconds : 1, ends[1]);
    if (pid < 0) buf_printf(why_not, MSG_CHECK_CVC5_FAILS, strerror(errno));
    close(ends[1]);
    FILE *answers = fdopen(ends[0], "r");
    bool good = pid > 0 && answers && all_unsat(answers, expected, why_not);
    if (answers) fclose(answers);
    if (pid > 0) {
        kill(pid, SIGKILL); /* it has answered all queries, or raised an objection */
        waitpid(pid, NULL, 0);
    }
    return good;
}

bool recheck(const char *certificate, double seconds, Buf *why_not) {
    int file = memfd_create("certificate", MFD_CLOEXEC);
    bool good = false;
    if (file < 0 || !file_put(file, certificate, strlen(certificate))) buf_printf(why_not, MSG_CHECK_CVC5_FAILS, strerror(errno));
    else good = ask(file, questions(certificate), seconds, why_not);
    if (file >= 0) close(file);
    return good;
}
