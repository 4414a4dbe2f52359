/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "base/messages.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *vec_room_(void *v, size_t more, size_t element) {
    size_t length = vec_len(v), capacity = v ? vec_head_(v)->capacity : 0;
    if (length + more <= capacity) return v;
    capacity = capacity ? capacity * 2 : 8;
    if (capacity < length + more) capacity = length + more;
    ensure(capacity <= (SIZE_MAX - sizeof(VecHead)) / element);
    VecHead *h = realloc(v ? vec_head_(v) : NULL, sizeof *h + capacity * element);
    if (!h) out_of_resources(MSG_BASE_NO_MEMORY);
    h->length = length;
    h->capacity = capacity;
    return h + 1;
}

void *vec_resized_(void *v, size_t length, size_t element) {
    size_t old = vec_len(v);
    if (length > old) {
        v = vec_room_(v, length - old, element);
        memset((char *)v + old * element, 0, (length - old) * element);
    }
    if (v) vec_head_(v)->length = length;
    return v;
}

void *vec_appended_(void *v, const void *w, size_t element) {
    size_t old = vec_len(v), more = vec_len(w);
    if (!more) return v;
    v = vec_room_(v, more, element);
    memcpy((char *)v + old * element, w, more * element);
    vec_head_(v)->length = old + more;
    return v;
}

void vec_release_(void *v) {
    if (v) free(vec_head_(v));
}

void vec_release_rows_(void *v) {
    for (size_t i = 0; i < vec_len(v); i++) {
        void *row;
        memcpy(&row, (const char *)v + i * sizeof row, sizeof row);
        vec_release_(row);
    }
    vec_release_(v);
}
