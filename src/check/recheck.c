/* SPDX-License-Identifier: Apache-2.0 */
/* cvc5 reads the certificate from a temporary file and writes a line for each question; any other line than unsat is an
   objection. */
#include "check/recheck.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t questions(const char *certificate) {
    size_t n = 0;
    for (const char *p = certificate; (p = strstr(p, "\n(check-sat)")); p++) n++;
    return n;
}

/* Is every line unsat, and are there as many as questions? */
static bool all_unsat(FILE *answers, size_t expected, Buf *why_not) {
    char line[512];
    size_t n = 0;
    while (fgets(line, sizeof line, answers)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "unsat")) {
            buf_printf(why_not, "question %zu of %zu: %s", n + 1, expected, line);
            return false;
        }
        n++;
    }
    if (n != expected) buf_printf(why_not, "it answered %zu of %zu questions", n, expected);
    return n == expected;
}

static pid_t start(const char *file, double seconds, int out) {
    pid_t pid = fork();
    if (pid) return pid;
    char limit[32];
    snprintf(limit, sizeof limit, "--tlimit=%.0f", seconds * 1000);
    dup2(out, 1);
    execlp("cvc5", "cvc5", "--incremental", "--lang=smt2", limit, file, (char *)NULL);
    printf("cvc5 cannot be run: %s\n", strerror(errno));
    fflush(stdout);
    _exit(127);
}

bool recheck(const char *certificate, double seconds, Buf *why_not) {
    char file[] = "/tmp/heddle-certificate-XXXXXX";
    int ends[2], fd = mkstemp(file);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f || fputs(certificate, f) < 0 || fclose(f) || pipe(ends)) {
        buf_printf(why_not, "no temporary file: %s", strerror(errno));
        return false;
    }
    pid_t pid = start(file, seconds > 1 ? seconds : 1, ends[1]);
    close(ends[1]);
    FILE *answers = fdopen(ends[0], "r");
    bool good = pid > 0 && answers && all_unsat(answers, questions(certificate), why_not);
    if (answers) fclose(answers);
    if (pid > 0) waitpid(pid, NULL, 0);
    unlink(file);
    return good;
}
