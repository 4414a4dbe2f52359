/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over a system: system_pass PASS FILE.sys prints what the pass makes of it; `none` prints it as it is. */
#include "../unit/system_passes.h"
#include "base/die.h"
#include "base/file.h"
#include "system/system.h"
#include "system/text.h"
#include <stdio.h>
#include <string.h>

static int complain(const Buf *error) {
    fputs(buf_string(error), stderr);
    return EXIT_INPUT;
}

static const SystemPass *pass_called(const char *name) {
    for (size_t i = 0; i < sizeof system_passes / sizeof *system_passes; i++)
        if (!strcmp(system_passes[i].name, name)) return &system_passes[i];
    return NULL;
}

int main(int argc, char **argv) {
    Buf text = {0}, error = {0}, out = {0};
    const SystemPass *pass = argc == 3 ? pass_called(argv[1]) : NULL;
    if (argc != 3 || (!pass && strcmp(argv[1], "none"))) {
        buf_text(&error, "usage: system_pass PASS FILE.sys; passes are: none");
        for (size_t i = 0; i < sizeof system_passes / sizeof *system_passes; i++) buf_printf(&error, " %s", system_passes[i].name);
        buf_char(&error, '\n');
        return complain(&error);
    }
    if (!file_read(argv[2], FILE_TEXT, &text, &error)) return complain(&error);
    Exprs *x = exprs_new();
    System *s = system_parse(x, argv[2], buf_string(&text), &error);
    if (!s) return complain(&error);
    Smt *smt = smt_new(x);
    if (pass) s = pass->run(s, smt);
    if (!system_check(s, &error)) die("%s", buf_string(&error));
    system_print(&out, s);
    fputs(buf_string(&out), stdout);
    smt_free(smt);
    system_free(s);
    exprs_free(x);
    buf_free(&out);
    buf_free(&text);
    return 0;
}
