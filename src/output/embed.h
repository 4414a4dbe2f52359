/* SPDX-License-Identifier: Apache-2.0 */
/* Files of page/ as they are, in the program. */
#pragma once

/* make runs in the folder above src. */
#define EMBED(name, file)                                                                                                           \
    __asm__(".pushsection .rodata\n.global " #name "\n.type " #name ", @object\n" #name ":\n.incbin \"src/output/page/" file "\"\n" \
            ".byte 0\n.popsection\n");                                                                                              \
    extern const char name[];
