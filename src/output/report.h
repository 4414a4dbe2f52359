/* SPDX-License-Identifier: Apache-2.0 */
/* What is told about a finished run, and the forms it is told in. */
#pragma once
#include "base/stats.h"
#include "explain/counterexample.h"
#include "result/verdict.h"
#include "witness/witness.h"

typedef struct Report {
    const Program *program; /* NULL if there is none */
    const Verdict *verdict;
    const Counterexample *counterexample; /* of the verdict's trace, if it has one */
    const char *assuming;                 /* what it takes for granted, or lacks; NULL: nothing */
    const char *property, *engine, *data_model;
    const char *memory_model; /* NULL: sequential consistency */
    const char *part;         /* of valid-memsafety: what is violated; NULL: that is not one of its parts */
    const char *const *files; /* a vec */
    bool fair;                /* of termination: only executions under a fair scheduler count */
    double seconds;
    const Stats *stats;
    const Witness *claims; /* invariants that were proved, for a witness; NULL: none */
    const char *standing;  /* CONFIRMED, REFUSED or UNKNOWN: what became of a witness of others; NULL: none was checked */
} Report;

typedef struct TextStyle {
    bool brief; /* the first line and warnings only */
    bool color;
    bool all;     /* what main does before it starts a thread, too */
    bool columns; /* a column for each thread, where width suffices */
    unsigned width;
    bool stats;
} TextStyle;

const char *verdict_word(VerdictKind);
/* Why a SAFE is one: a sentence, with its full stop. */
void report_why(Buf *, const Report *);
/* The verdict and what weakens it; then its counterexample. */
void report_line(FILE *, const Report *, const TextStyle *);
void report_text(FILE *, const Report *, const TextStyle *);
void report_json(Buf *, const Report *);
/* Adds a note to the last of such objects, which have commas between them. */
void report_json_note(Buf *, const char *note);
/* SARIF 2.1.0, for editors and forges: a log with one run and one result. */
void report_sarif(Buf *, const Report *);
/* Such logs as one: a run with all results. */
void sarif_join(Buf *, const Buf *const *logs, size_t n);
/* What the page of --html shows of the verdict, as a JSON object. */
void report_view(Buf *, const Report *);
/* Such objects, with commas between them, become a page that needs nothing else. */
void report_page(Buf *);
/* A witness of SAFE or UNSAFE, for validators; nothing for UNKNOWN. */
void report_witness(Buf *, const Report *, bool graphml);
/* The schedule, for schedule_read. */
void schedule_write(FILE *, const Program *, const char *property, const Trace *, const Counterexample *);
/* NULL: *error says why the text is not a schedule of this program, as it is loaded for this property. */
Trace *schedule_read(const char *file, const char *text, const Program *, const char *property, Buf *error);
