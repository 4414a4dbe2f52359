/* SPDX-License-Identifier: Apache-2.0 */
/* What a run has to say, and to whom. The worker gathers it and hands it to the supervisor whole; only the supervisor writes: first what
   is for stdout, with the verdict, then the files. Whatever cannot be written is complained about and makes the exit code EXIT_INTERNAL:
   nobody takes a run for a success whose answer did not arrive. */
#pragma once
#include "options/options.h"
#include <stdio.h>

typedef struct Output {
    Buf line;                     /* for stdout: the verdict and what weakens it … */
    Buf text;                     /* … and the rest */
    Buf complaint;                /* for stderr: what is wrong with the input; then there is nothing else */
    Buf json, certificate, trace; /* for the files of these options, if not empty … */
    Buf sarif, witness;
    Buf native; /* what --native makes a program of (native.h) */
    Buf html;   /* JSON objects with commas between them, until report_page makes a page of them */
} Output;       /* start as (Output){0}; deliver.c has a table of the files */

void output_free(Output *);
/* From one process to another. */
void output_send(FILE *, const Output *);
/* False: it is not whole yet. */
bool output_receive(Output *, const Buf *sent);
/* False: something could not be written, and stderr says what. */
bool output_deliver(const Output *, const Options *);
/* Says on stderr which files were asked for that have nothing to be written to them. */
void output_out_of_resources(const Output *, const Options *);
/* Text for stdout alone: likewise. */
bool deliver_text(const Buf *);
