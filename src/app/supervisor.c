/* SPDX-License-Identifier: Apache-2.0 */
#include "app/supervisor.h"
#include "app/messages.h"
#include "base/clock.h"
#include "base/messages.h"
#include "output/publish.h"
#include "process/child.h"
#include "process/messages.h"
#include "process/progress.h"
#include <errno.h>
#include <stdlib.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct Request {
    Property property;
    TimeSlot time;
} Request;

typedef struct Supervisor {
    const Verifier *verifier;
    const Config *config;
    Results *results;
    double end;
    Child child;
    int ends[2]; /* of the pipe for requests; -1: there is no process */
} Supervisor;

/* ---- the verifier's process ---- */

/* the head of an answer, with the length of the output that follows, and the exit code */
typedef struct FrameHead {
    uint64_t length;
    int64_t code;
} FrameHead;

static void put_frame(FILE *out, int code, const Output *answer) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f) out_of_resources(MSG_BASE_NO_MEMORY);
    output_send(f, answer);
    if (fclose(f)) out_of_resources(MSG_BASE_NO_MEMORY);
    FrameHead head = {length, code};
    fwrite(&head, sizeof head, 1, out);
    fwrite(text, 1, length, out);
    fflush(out);
    free(text);
}

static int serve(void *context, FILE *out) {
    const Supervisor *s = context;
    Request r;
    close(s->ends[1]);
    while (read(s->ends[0], &r, sizeof r) == (ssize_t)sizeof r) {
        Output answer = {0};
        put_frame(out, s->verifier->answer(s->verifier->state, r.property, r.time, &answer), &answer);
        output_free(&answer);
    }
    return 0;
}

static bool has_frame(const Buf *b) {
    FrameHead head;
    if (b->length < sizeof head) return false;
    memcpy(&head, b->text, sizeof head);
    return b->length >= sizeof head + head.length;
}

/* ---- in the supervisor's process ---- */

static void start(Supervisor *s, double deadline) {
    ChildLimits limits = {.deadline = deadline, .memory = s->config->memory, .group = true, .capture = true};
    if (pipe2(s->ends, O_CLOEXEC)) out_of_resources(MSG_PROCESS_NO_PIPE, strerror(errno));
    child_start(&s->child, &limits, serve, s);
    s->child.is_complete_answer = has_frame;
    close(s->ends[0]);
}

/* Ends the verifier and returns its stderr in *errors. The user sees it only if it explains something. */
static ChildResult finish(Supervisor *s, Buf *errors) {
    Buf rest = {0};
    close(s->ends[1]);
    s->ends[1] = -1;
    ChildResult r = child_finish(&s->child, &rest, errors);
    buf_free(&rest);
    return r;
}

static int internal_error(const char *doing, int signal) {
    print_error(MSG_APP_CRASHED, doing, strsignal(signal));
    return EXIT_INTERNAL;
}

/* Returns UNKNOWN with the reason why the process ended, or NULL if the end is an internal error. */
static Verdict *reason_of(const Supervisor *s, TimeSlot time, ChildResult r, Buf *errors) {
    const char *doing = progress_last_phase(), *reason = crash_reason(r, errors);
    Buf limit = {0}, where = {0};
    Verdict *v = NULL;
    buf_printf(&where, r.ending == ENDING_NO_RESOURCES ? " (while %s)" : " while %s", doing);
    switch (r.ending) {
    case ENDING_TIMEOUT:
        config_put_time_limit(s->config, time, buf_string(&where), &limit);
        v = verdict_unknown((Position){0}, "%s", buf_string(&limit));
        break;
    case ENDING_MEMORY:
        v = verdict_unknown((Position){0}, MSG_PROCESS_MEMORY_LIMIT, (double)s->config->memory / 1048576, buf_string(&where));
        break;
    case ENDING_INTERRUPT: v = verdict_unknown((Position){0}, MSG_APP_INTERRUPTED, doing); break;
    case ENDING_NO_RESOURCES: v = verdict_in(last_error_line(errors), buf_string(&where)); break;
    default: v = reason ? verdict_unknown((Position){0}, MSG_APP_ENDED, doing, reason) : NULL;
    }
    buf_free(&limit);
    buf_free(&where);
    return v;
}

/* Makes the answer for a process that ended without one, and returns the exit code. */
static int without_answer(Supervisor *s, const Request *q, Output *out) {
    Buf errors = {0};
    ChildResult r = finish(s, &errors);
    Verdict *v = r.ending == ENDING_EXIT ? NULL : reason_of(s, q->time, r, &errors);
    int code = EXIT_INTERNAL;
    if (v) {
        const Question question = {.property = q->property, .parts = s->results->parts, .fair = s->results->options->fair};
        progress_said(&errors);
        code = publish(&(Answered){.options = s->results->options, .question = &question, .verdict = v, .start = q->time.start}, out);
    } else if (r.ending == ENDING_EXIT) {
        fputs(buf_string(&errors), stderr);
        if (r.code == 0) print_error(MSG_APP_NO_ANSWER);
        else if (r.code == EXIT_INPUT) code = EXIT_INPUT;
    } else {
        progress_said(&errors);
        code = internal_error(progress_last_phase(), r.code);
    }
    verdict_free(v);
    buf_free(&errors);
    return code;
}

static int take_frame(Child *c, Output *out) {
    FrameHead head;
    memcpy(&head, c->out.text, sizeof head);
    Buf sent = {0};
    buf_bytes(&sent, c->out.text + sizeof head, head.length);
    ensure(output_receive(out, &sent));
    buf_free(&sent);
    buf_clear(&c->out);
    progress_said(&c->stderr_text);
    buf_clear(&c->stderr_text);
    return (int)head.code;
}

/* Asks the verifier about a property, with a share of the time in seconds. The verifier stops engines at the deadline; a verifier that
   overruns it is stuck, and is killed. */
static void ask(Supervisor *s, Property p, double share) {
    static const double grace = 0.5;
    Result *r = &s->results->list[p];
    double now = clock_seconds();
    Request request = {p, {results_are_several(s->results) ? now : s->end - s->config->timeout, now + share}};
    output_free(&r->out);
    *r = (Result){.there = true, .share = share};
    if (s->ends[1] < 0) start(s, request.time.deadline + grace);
    s->child.limits.deadline = request.time.deadline + grace;
    Child *list[] = {&s->child};
    bool asked = write(s->ends[1], &request, sizeof request) == (ssize_t)sizeof request;
    children_wait(list, 1, request.time.deadline + 2 * grace);
    progress_clear();
    r->code = asked && has_frame(&s->child.out) ? take_frame(&s->child, &r->out) : without_answer(s, &request, &r->out);
    r->used = clock_seconds() - now;
}

/* Gives each property an equal part of the remaining time. */
static void first_round(Supervisor *s) {
    Results *all = s->results;
    unsigned n = (unsigned)__builtin_popcount(all->set), left = n;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        if (!(all->set >> p & 1)) continue;
        Result *r = &all->list[p];
        ask(s, (Property)p, (s->end - clock_seconds()) / left--);
        r->final = r->code != EXIT_UNKNOWN || r->used < 0.8 * r->share || !left;
        if (r->code == EXIT_INPUT || (r->code == EXIT_INTERNAL && left + 1 == n)) return; /* as the other properties would */
        if (n > 1) results_show(all);
    }
}

/* Asks again about properties that had too little time, if the time that the other properties left is much more. */
static void second_round(Supervisor *s) {
    unsigned left = 0;
    for (unsigned p = 0; p < NPROPERTIES; p++) left += s->results->list[p].there && !s->results->list[p].final;
    for (unsigned p = 0; p < NPROPERTIES; p++) {
        Result *r = &s->results->list[p];
        if (!r->there || r->final) continue;
        double share = (s->end - clock_seconds()) / left--;
        if (share > 2 * r->share) ask(s, (Property)p, share);
        r->final = true;
    }
}

void supervise(const Verifier *v, const Config *c, Results *results, double end) {
    Supervisor s = {.verifier = v, .config = c, .results = results, .end = end, .ends = {-1, -1}};
    Buf errors = {0};
    first_round(&s);
    if (!is_complaint(results_code(results))) second_round(&s);
    if (s.ends[1] >= 0) finish(&s, &errors);
    progress_said(&errors);
    buf_free(&errors);
}
