/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files that belong to Heddle. */
#pragma once
#include <limits.h>

/* Puts the folder of a file of Heddle into `folder` and returns it: beside the program, or where make install puts it relative to the program
   (as in "/../lib/heddle"). Returns NULL if the file is in neither, with errno ENOENT, or if the program's own folder is not known. */
const char *installation_folder(const char *file, const char *installed, char folder[PATH_MAX]);
