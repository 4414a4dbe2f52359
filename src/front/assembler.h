/* SPDX-License-Identifier: Apache-2.0 */
/* A piece of assembler code with its operands, as a machine that runs it. Private to src/front. */
#pragma once
#include "front/lower.h"

enum { MAX_OPERANDS = 16, MAX_REGISTERS = 32, REGISTER_BITS = 64 };

typedef enum AsmKind { ASM_REGISTER, ASM_MEMORY, ASM_FLAG } AsmKind;

typedef struct AsmOperand {
    AsmKind kind;
    bool output;
    unsigned number;     /* of its register */
    unsigned width;      /* bits */
    const Expr *address; /* of memory */
    const char *flag;    /* "z", "ne", … */
} AsmOperand;

typedef struct AsmRegister {
    const char *name;  /* "ax"; NULL: any that is free */
    const Expr *value; /* its low bits, as many as are known; NULL: none */
    const Expr *given; /* what an input put there; NULL: none did */
    bool output;
    bool early; /* an output that shares it with no other input */
    bool changed;
    bool declared; /* the code may change it */
} AsmRegister;

typedef struct Assembler {
    Lower *lower;
    AsmOperand operand[MAX_OPERANDS];
    AsmRegister reg[MAX_REGISTERS];
    unsigned operands, registers;
    const Expr *zero, *sign; /* flags; NULL: not known */
    bool memory;             /* the code says that it touches memory besides its operands */
    bool locked;             /* the next instruction has the prefix */
    bool spoilt;             /* an output was written whose register may be that of an input */
} Assembler;

/* Does the statement do nothing under sequential consistency? */
bool asm_does_nothing(const char *text, size_t length);
/* … but order accesses. */
void asm_order(Lower *, const char *text, size_t length, bool locked);
/* One statement; false: not modelled. */
bool asm_execute(Assembler *, const char *text, size_t length);
/* The register of that name, or NONE: there are too many. */
unsigned asm_register(Assembler *, const char *name, size_t length);
const Expr *asm_read_register(Assembler *, unsigned number, unsigned width); /* NULL: more bits than are known */
const Expr *asm_flag(const Assembler *, const char *name, size_t length);    /* "z", "ne", …; NULL: not known */
