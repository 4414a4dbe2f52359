/* SPDX-License-Identifier: Apache-2.0 */
/* Implements growable arrays (vecs). A vec `T *v` begins as NULL and keeps its length in a head before its elements. The macros evaluate v
   more than once.
   - vec_push(v, x)    appends x
   - vec_pop(v)        removes the last element and returns it
   - vec_len(v)        returns the length; 0 for NULL
   - vec_last(v)       is the last element, as an lvalue
   - vec_clear(v)      sets the length to 0
   - vec_resize(v, n)  sets the length to n, and zeroes new elements
   - vec_append(v, w)  appends all elements of w
   - vec_copy(w)       returns a new vec with the elements of w
   - vec_has(v, x)     is true if an element equals x, byte by byte
   - vec_free(v)       frees the vec and sets v to NULL
   - vec_free_rows(v)  frees the vec v and the vecs that are its elements

   The following macros loop over all elements. The body may append to v, and `break` and `continue` work as in other loops.
   - vec_each(T, x, v)             x is each element, of type T
   - vec_each_at(T, x, v)          x points to each element, of type T
   - vec_each_of(T, x, v, chosen)  x points to each element of v, of type T, whose index is in the vec `chosen` */
#pragma once
#include "base/die.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct VecHead {
    size_t length, capacity;
} VecHead;

#define vec_head_(v) ((VecHead *)(void *)(v) - 1)
#define vec_len(v) ((v) ? vec_head_(v)->length : (size_t)0)
/* x is evaluated before the length grows: it may read v. */
#define vec_push(v, x) ((v) = vec_room_((v), 1, sizeof *(v)), (v)[vec_head_(v)->length] = (x), (void)vec_head_(v)->length++)
#define vec_pop(v) ((v)[vec_head_(v)->length = vec_end_(v)])
#define vec_last(v) ((v)[vec_end_(v)])
#define vec_clear(v) ((v) ? (void)(vec_head_(v)->length = 0) : (void)0)
#define vec_resize(v, n) ((v) = vec_resized_((v), (n), sizeof *(v)))
#define vec_append(v, w) ((void)((v) == (w)), (v) = vec_appended_((v), (w), sizeof *(v)))
#define vec_copy(w) vec_appended_(NULL, (w), sizeof *(w))
#define vec_has(v, x) vec_has_((v), &(__typeof__(*(v))){x}, sizeof *(v))
#define vec_free(v) (vec_release_(v), (v) = NULL)
#define vec_free_rows(v) ((void)sizeof **(v), vec_release_rows_(v), (v) = NULL)
#define vec_each(T, x, v) vec_each_(T, x, (v)[x##_at_], v)
#define vec_each_at(T, x, v) vec_each_(T *, x, &(v)[x##_at_], v)
#define vec_each_of(T, x, v, chosen) vec_each_(T *, x, &(v)[(chosen)[x##_at_]], chosen)
/* The inner loop declares x and runs once. `break` skips its last part, which ends the outer loop as well. */
#define vec_each_(T, x, element, v)                                                   \
    for (size_t x##_at_ = 0, x##_go_ = 1; x##_go_ && x##_at_ < vec_len(v); x##_at_++) \
        for (T x = (x##_go_ = 0, element); !x##_go_; x##_go_ = 1)

/* Returns the index of the last element. The vec must not be empty. */
static inline size_t vec_end_(const void *v) {
    ensure(vec_len(v) > 0);
    return vec_head_(v)->length - 1;
}
static inline bool vec_has_(const void *v, const void *x, size_t element) {
    for (size_t i = 0; i < vec_len(v); i++)
        if (!memcmp((const char *)v + i * element, x, element)) return true;
    return false;
}
void *vec_room_(void *v, size_t more, size_t element);
void *vec_resized_(void *v, size_t length, size_t element);
void *vec_appended_(void *v, const void *w, size_t element);
void vec_release_(void *v);
void vec_release_rows_(void *v);
