/* SPDX-License-Identifier: Apache-2.0 */
/* Executes a piece of assembler code with its operands, as a machine with registers and flags. Private to src/front. */
#pragma once
#include "front/lower.h"

enum { MAX_OPERANDS = 16, MAX_REGISTERS = 32, REGISTER_BITS = 64 };

typedef enum AsmKind { ASM_REGISTER, ASM_MEMORY, ASM_FLAG } AsmKind;

typedef struct AsmOperand {
    AsmKind kind;
    bool output;
    unsigned number;     /* for a register: its index */
    unsigned width;      /* bits */
    const Expr *address; /* for memory */
    const char *flag;    /* "z", "ne", … */
} AsmOperand;

typedef struct AsmRegister {
    const char *name;  /* "ax"; NULL for any free register */
    const Expr *value; /* the low bits that are known; NULL: none */
    const Expr *given; /* the value that an input put there; NULL: none did */
    bool output;
    bool early;    /* an output that shares its register with no other input */
    bool changed;  /* whether the code has written it */
    bool declared; /* whether the code may change it */
} AsmRegister;

typedef struct Assembler {
    Lower *lower;
    AsmOperand operand[MAX_OPERANDS];
    AsmRegister reg[MAX_REGISTERS];
    unsigned operands, registers;
    const Expr *zero, *sign; /* flags; NULL if unknown */
    bool memory;             /* whether the code declares that it accesses memory other than its operands */
    bool locked;             /* whether the next instruction has the prefix */
    bool spoilt;             /* an output was written whose register may be that of an input */
} Assembler;

/* True if the statement does nothing under sequential consistency. */
bool asm_does_nothing(const char *text, size_t length);
/* Emits the fence of such a statement, if it orders accesses. */
void asm_order(Lower *, const char *text, size_t length, bool locked);
/* Executes one statement; false if it is not modelled. */
bool asm_execute(Assembler *, const char *text, size_t length);
/* Returns the register of that name, adding it if it is new; NULL adds an unnamed one. NONE if there are too many. */
unsigned asm_register(Assembler *, const char *name, size_t length);
const Expr *asm_read_register(Assembler *, unsigned number, unsigned width); /* NULL if fewer bits are known */
const Expr *asm_flag(const Assembler *, const char *name, size_t length);    /* "z", "ne", …; NULL if unknown */
