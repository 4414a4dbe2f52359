/* SPDX-License-Identifier: Apache-2.0 */
#include "result/specialised.h"
#include <stdlib.h>

void specialised_free(void *p) {
    Specialised *s = p;
    if (!s) return;
    vec_each(SpecialisedLocation *, list, s->templates)
        vec_each_at(SpecialisedLocation, l, list) vec_free(l->facts);
    vec_free_rows(s->templates);
    free(s);
}
