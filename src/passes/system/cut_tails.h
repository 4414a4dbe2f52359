/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "system/system.h"

void cut_tails(System *); /* see cut_tails.c */
/* If there is no error at all, nobody moves. Otherwise only steps go that lead nowhere: traces are read off the system as it was built. */
void cut_all(System *);
