/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#define HEDDLE_VERSION "0.1"
