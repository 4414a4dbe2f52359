/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "ir/program.h"

void mutex_words(Program *);
