/* SPDX-License-Identifier: Apache-2.0 */
#include "run/shadow.h"
#include <string.h>

enum { PAGE = 4096, TABLE = 1 << 17, RECENT = 64 };

typedef struct ShadowPage {
    Address number;
    Cell cells[PAGE / WORD][CELLS];
} ShadowPage;

static ShadowPage **table, *recent[RECENT];
static unsigned npages;

/* Returns the slot of the table for that page: it has the page, or is empty. */
static ShadowPage **slot_of(Address number) {
    if (!table) table = base_memory(TABLE * sizeof *table);
    unsigned i = (unsigned)(number * UINT64_C(0x9E3779B97F4A7C15) >> 40) % TABLE;
    while (table[i] && table[i]->number != number) i = (i + 1) % TABLE;
    return &table[i];
}

static ShadowPage *new_page(Address number) {
    ShadowPage *page = base_memory(sizeof *page);
    page->number = number;
    npages++;
    return page;
}

static ShadowPage *page_of(Address number, bool make) {
    ShadowPage *page = recent[number % RECENT];
    if (page && page->number == number) return page;
    ShadowPage **slot = slot_of(number);
    if (!*slot && make && npages < TABLE / 2) *slot = new_page(number);
    if (*slot) recent[number % RECENT] = *slot;
    return *slot;
}

Cell *shadow_cells(Address a) {
    ShadowPage *page = page_of(a / PAGE, true);
    return page ? page->cells[a % PAGE / WORD] : NULL;
}

void shadow_clear(Address from, size_t size) {
    for (Address a = from, end = from + size; a < end;) {
        Address next = (a / PAGE + 1) * PAGE, to = next < end ? next : end;
        ShadowPage *page = page_of(a / PAGE, false);
        size_t first = a % PAGE / WORD, last = (to - 1) % PAGE / WORD;
        if (page) memset(page->cells[first], 0, (last - first + 1) * sizeof page->cells[0]);
        a = to;
    }
}
