/* SPDX-License-Identifier: Apache-2.0 */
#include "strategy/check_certificate.h"
#include "result/property.h"
#include "process/messages.h"

/* Compares the obligations that follow from the claims with those of the certificate. */
static Verdict *compare(const CertifiedAnswer *a, Verdict *v) {
    Buf all = {0}, script = {0};
    if (v->kind != VERDICT_SAFE) return v;
    certificate_put_answer(&all, a->property);
    buf_text(&all, v->certificate ? v->certificate : "");
    certificate_script(&script, buf_string(&all));
    size_t line = certificate_differs(buf_string(&script), a->script);
    buf_free(&all);
    buf_free(&script);
    if (!line) return v;
    verdict_free(v);
    return verdict_unknown((Position){0}, MSG_PROCESS_CERTIFICATE_DIFFERS, line);
}

Verdict *check_certificate(const Config *c, const Loaded *loaded, const Program *p, const Question *q, const Certificate *certificate,
                           TimeSlot time) {
    Config with = *c;
    const char *property = property_text(q->property, q->parts);
    with.claims = certificate_answer(certificate, property);
    if (!with.claims) return verdict_unknown((Position){0}, MSG_PROCESS_CERTIFICATE_OTHER, property);
    return compare(with.claims, answer(&with, loaded, p, q, time));
}
