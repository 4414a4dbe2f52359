/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_BASE_VERSION_H
#define HEDDLE_BASE_VERSION_H

#define HEDDLE_VERSION "0.1"

#endif
