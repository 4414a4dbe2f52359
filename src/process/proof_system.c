/* SPDX-License-Identifier: Apache-2.0 */
#include "process/proof_system.h"
#include "expr/lexer.h"
#include "result/proof_text.h"
#include "passes/program/store_buffers.h"
#include "process/messages.h"

static bool parse_head(const char *proof, PassSettings *settings, Buf *why) {
    Lexer lexer;
    Arena *arena = arena_new();
    lexer_init(&lexer, arena, "proof", proof);
    proof_parse_head(&lexer);
    if (settings_parse(&lexer, settings)) lexer_expect(&lexer, ";");
    buf_text(why, buf_string(&lexer.error));
    bool good = !lexer.failed;
    lexer_done(&lexer);
    arena_free(arena);
    return good;
}

/* Makes the route to the program with store buffers of the depth in the settings. Returns false if the settings do not fit the route. */
static bool find_route(const Route *like, const PassSettings *settings, Route *deep, Buf *why) {
    PassSettings wanted = like->settings;
    bool good = settings->buffers == wanted.buffers || (wanted.memory == MEMORY_BUFFERED && settings->buffers <= DEEPEST_BUFFER);
    if (!good) buf_text(why, MSG_PROCESS_OTHER_BUFFERS);
    wanted.buffers = settings->buffers;
    *deep = route_new(like->program, like->question, wanted);
    return good;
}

bool system_for_proof(Route *route, bool errors, const char *proof, Chain *made, Buf *why) {
    PassSettings settings = {.question = route->question, .discharge = true};
    Route deep;
    *made = (Chain){.program = NULL};
    if (!parse_head(proof, &settings, why) || !find_route(route, &settings, &deep, why)) return false;
    Route *there = settings.buffers == route->settings.buffers ? route : &deep;
    Chain *chain = route_chain(there, errors);
    Verdict *refusal = chain ? prepare(made, chain->program, route_common(there, errors), settings, "check") : route_refusal(there);
    if (refusal) buf_text(why, refusal->reason);
    if (there != route) vec_append(made->omissions, route_omissions(there, errors));
    bool good = !refusal;
    verdict_free(refusal);
    route_free(&deep);
    if (good && !(made->facts & FACT_WHOLE)) buf_text(why, MSG_PROCESS_SYSTEM_PARTIAL);
    return good && made->facts & FACT_WHOLE && passes_run(made, &passes_reducing, "find-locks");
}

Proof *proof_about(Route *route, bool errors, const char *proof, Omission **omissions, Buf *why) {
    Chain made;
    Proof *p = system_for_proof(route, errors, proof, &made, why) ? proof_parse(proof, made.program, made.system, why) : NULL;
    made.owned_by_proof = p != NULL;
    vec_append(*omissions, made.omissions);
    chain_free(&made);
    return p;
}
