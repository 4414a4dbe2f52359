/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a mutex is set up before anybody uses it. */
#pragma once
#include "ir/program.h"

/* Memory holds any value until it is initialised. For a mutex word that is all right if main sets it before any use
   and before there are other threads: all ways through main are followed. raw: at first its value does not count.
   An assignment sets it, HAVOC makes it raw again. */
bool mutex_set_in_time(const Program *, const Variable *word, bool raw);
