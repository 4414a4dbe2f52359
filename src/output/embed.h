/* SPDX-License-Identifier: Apache-2.0 */
/* Embeds files of output/page in the executable. */
#pragma once

/* Defines `name` as the text of the file. The path is relative to the folder above src, where make runs. */
#define EMBED(name, file)                                                                                                           \
    __asm__(".pushsection .rodata\n.global " #name "\n.type " #name ", @object\n" #name ":\n.incbin \"src/output/page/" file "\"\n" \
            ".byte 0\n.popsection\n");                                                                                              \
    extern const char name[];
