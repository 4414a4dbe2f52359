/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the answer to a question as text, JSON, SARIF, HTML, a witness or a schedule. */
#pragma once
#include "base/stats.h"
#include "explain/counterexample.h"
#include "result/verdict.h"
#include "witness/witness.h"

typedef struct Report {
    const Program *program; /* NULL: loading failed */
    const Verdict *verdict;
    const Counterexample *counterexample; /* NULL if the verdict has no trace */
    const char *assuming;                 /* a restriction of the verdict in words; NULL: none */
    const char *property, *engine, *data_model;
    const char *memory_model; /* NULL stands for sequential consistency */
    const char *part;         /* the violated part of valid-memsafety; NULL: another property */
    const char *const *files; /* a vec */
    bool fair;                /* termination: only executions under a fair scheduler count */
    double seconds;
    const Stats *stats;
    const Witness *invariants; /* proved invariants for a witness; may be NULL */
    const char
        *standing; /* CONFIRMED, REFUSED or UNKNOWN: the result of --check-witness or --check-certificate; NULL without these options */
} Report;

typedef struct TextStyle {
    bool brief; /* print the first line and warnings only */
    bool color;
    bool all;     /* print also the lines of main before it starts a thread */
    bool columns; /* print a column for each thread, if the width suffices */
    unsigned width;
    bool stats;
} TextStyle;

const char *verdict_word(VerdictKind);
/* Adds a sentence with the reason of a SAFE; nothing for other verdicts. */
void report_why(Buf *, const Report *);
/* Prints the line of the verdict, with its restriction and warnings. */
void report_line(FILE *, const Report *, const TextStyle *);
/* Prints the rest of the answer: the reason of a SAFE or UNKNOWN, the counterexample, notes and counters. */
void report_text(FILE *, const Report *, const TextStyle *);
/* Adds the answer as a JSON object. */
void report_json(Buf *, const Report *);
/* Adds a note to the last of several such objects, which have commas between them. */
void report_json_note(Buf *, const char *note);
/* Adds a SARIF 2.1.0 log with one run and one result, for editors and forges. */
void report_sarif(Buf *, const Report *);
/* Joins n such logs to a log with one run and all results. */
void sarif_join(Buf *, const Buf *const *logs, size_t n);
/* Adds the answer as a JSON object for the page of --html. */
void report_view(Buf *, const Report *);
/* Replaces such objects, with commas between them, by a self-contained page. */
void report_page(Buf *);
/* Adds a witness of SAFE or UNSAFE for validators; nothing for UNKNOWN. */
void report_witness(Buf *, const Report *, bool graphml);
/* Writes the trace as a schedule for --replay, with the lines of the counterexample as comments. The counterexample may be NULL. */
void schedule_write(FILE *, const Program *, const char *property, const Trace *, const Counterexample *);
/* Reads a schedule. `file`: its name, for messages. Returns NULL and an error if it does not belong to this program, loaded for this property. */
Trace *schedule_read(const char *file, const char *text, const Program *, const char *property, Buf *error);
