/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the output of a run and writes it. The verifier fills an Output and sends it to the supervisor; only the supervisor writes. First it
   writes the text for stdout, which begins with the verdict, then the files. If a write fails, it prints a complaint and the exit code is
   EXIT_INTERNAL. So no run looks successful whose answer was lost. */
#pragma once
#include "options/options.h"
#include <stdio.h>

typedef struct Output {
    Buf line;                     /* for stdout: the verdict with its warnings … */
    Buf text;                     /* … and the rest of the answer */
    Buf complaint;                /* for stderr: an error of the input; then the other parts are empty */
    Buf json, certificate, trace; /* for the files of these options; empty: nothing to write */
    Buf sarif, witness;
    Buf native; /* the files of --native (native/gather.h) */
    Buf html;   /* JSON objects with commas between them; report_page makes a page of them */
} Output;       /* begins as (Output){0}; files.c has a table of the files */

void output_free(Output *);
/* Sends an output to another process. */
void output_send(FILE *, const Output *);
/* Reads an output from the bytes that were sent. Returns false if they are incomplete. */
bool output_receive(Output *, const Buf *sent);
/* Writes all parts. Returns false if a part could not be written; the error is printed on stderr. */
bool output_deliver(const Output *, const Options *);
/* Prints on stderr which requested files are not written, because the run has no content for them. */
void output_out_of_resources(const Output *, const Options *);
/* Writes text to stdout. Returns false if this fails; the error is printed on stderr. */
bool deliver_text(const Buf *);
