/* SPDX-License-Identifier: Apache-2.0 */
/* Models functions for the byte order of networks, which is opposite to that of the supported machines. */
#include "heddle.h"

typedef __UINT16_TYPE__ u16;

MODEL u32 htonl(u32 x) { return __builtin_bswap32(x); }
MODEL u32 ntohl(u32 x) { return __builtin_bswap32(x); }
MODEL u16 htons(u16 x) { return __builtin_bswap16(x); }
MODEL u16 ntohs(u16 x) { return __builtin_bswap16(x); }
