/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes of pipes and sockets, and waits for them. */
#pragma once

/* Waits a moment for other processes, while every thread waits for a descriptor. */
void descriptors_sleep(void);
