/* SPDX-License-Identifier: Apache-2.0 */
/* The order of bytes on networks is the other one than that of the machines that we know. */
#include "heddle.h"

typedef __UINT16_TYPE__ u16;

MODEL u32 htonl(u32 x) { return __builtin_bswap32(x); }
MODEL u32 ntohl(u32 x) { return __builtin_bswap32(x); }
MODEL u16 htons(u16 x) { return __builtin_bswap16(x); }
MODEL u16 ntohs(u16 x) { return __builtin_bswap16(x); }
