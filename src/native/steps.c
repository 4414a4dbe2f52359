/* SPDX-License-Identifier: Apache-2.0 */
#include "native/steps.h"
#include <stdlib.h>

NativeRun *native_run_new(void) {
    NativeRun *r = zeroed(1, sizeof *r);
    return r;
}

void native_run_free(NativeRun *r) {
    if (!r) return;
    vec_free(r->turns);
    vec_free(r->inputs);
    vec_free(r->variables);
    vec_free(r->fates);
    free(r);
}
