/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Defines the version for --version. */
#define HEDDLE_VERSION "0.1"
