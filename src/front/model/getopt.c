/* SPDX-License-Identifier: Apache-2.0 */
/* Models getopt of the C library, except that it does not move options before other arguments. */
#include "heddle.h"

MODEL char *optarg;
MODEL int optind = 1;
MODEL int opterr = 1;
MODEL int optopt = '?';
static int place; /* place in the present argument; 0: at its start */

static const char *find(const char *options, char c) {
    for (; *options != 0; options++)
        if (*options == c && c != ':' && c != ';') return options;
    return NULL;
}
static _Bool is_option(const char *word) { return word[0] == '-' && word[1] != 0; }
static void stay_in_order(int argc, char *const *argv) {
    for (int i = optind; i < argc; i++)
        if (is_option(argv[i])) __heddle_unsupported("getopt with options behind other arguments");
}
static int leave(int result) {
    optind++;
    place = 0;
    return result;
}
/* Takes the argument of an option, which is the rest of the word or the next word. */
static int take(int argc, char *const *argv, const char *found, _Bool quiet) {
    if (argv[optind][place] != 0) optarg = argv[optind] + place;
    else if (found[2] == ':') optarg = NULL;
    else if (optind + 1 < argc) optarg = argv[++optind];
    else {
        optopt = *found;
        return leave(quiet ? ':' : '?');
    }
    return leave(*found);
}
MODEL int getopt(int argc, char *const *argv, const char *options) {
    _Bool ordered = options[0] == '+', quiet = options[ordered] == ':';
    if (options[0] == '-') __heddle_unsupported("getopt with options that start with a minus");
    if (place == 0) {
        if (optind >= argc || argv[optind] == NULL) return -1;
        if (!is_option(argv[optind])) {
            if (!ordered) stay_in_order(argc, argv);
            return -1;
        }
        if (argv[optind][1] == '-' && argv[optind][2] == 0) return leave(-1);
        place = 1;
    }
    char c = argv[optind][place++];
    const char *found = find(options, c);
    if (found != NULL && found[1] == ':') return take(argc, argv, found, quiet);
    if (found == NULL) optopt = (u8)c;
    int result = found == NULL ? '?' : (u8)c;
    return argv[optind][place] == 0 ? leave(result) : result;
}
