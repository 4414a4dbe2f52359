/* SPDX-License-Identifier: Apache-2.0 */
/* Watches for crashes. */
#pragma once

void failure_start(void);
