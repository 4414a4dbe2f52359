# SPDX-License-Identifier: Apache-2.0
"""The two tables of the paper on reductions and proofs ("Reductions for Safety Proofs", POPL 2020): its rows, its
seconds, and which file of Weaver's examples (github.com/weaver-verifier/weaver, folder examples) is which row."""
import os, sys

COLUMNS = {1: ('S+C', 'C', 'S'), 2: ('S+C', 'C', 'S', 'WEAVER', 'NONE')}  # TO: 20 minutes in table 1, 30 in table 2
_ROWS = '''
1 channel-sum          popl20/channel-sum              1.8   0.8   TO
1 horseshoe            popl20/horseshoe                45.2  45.5  TO
1 prod-cons            popl20/prod-cons                7.5   3.4   TO
1 prod-cons-3          popl20/prod-cons3               138.9 26.8  TO
1 prod-cons-eq         popl20/prod-cons-eq             3.4   4.3   TO
1 queue-add-2          popl20/queue-add-2              6.2   5.9   TO
1 send-recv            popl20/send-receive             5.7   4.9   TO
1 send-recv-alt        popl20/send-receive-alt         1.1   0.5   TO
1 simple-queue         popl20/simple-queue             0.3   0.03  TO
1 queue-add-3          popl20/queue-add-3              214.4 TO    TO
1 Figure-3             popl20/figure3                  TO    0.3   TO
1 mult-4               popl20/mult-4                   TO    25.5  TO
1 mult-equiv           popl20/mult-equiv               197.9 TO    194
1 counter-fun          popl20/counter-fun              0.8   TO    TO
1 simple-array-sum     popl20/simple-array-sum         52.4  97.4  TO
1 three-array-min      popl20/three-array-min          39.1  74.2  TO
1 three-array-sum      popl20/three-array-sum          28.1  58.4  TO
1 three-array-max      popl20/three-array-max          TO    34.6  TO
1 buffer-mult          popl20-more/buffer-mult         131.5 212.4 TO
1 buffer-series        popl20-more/buffer-series       62.9  216.7 TO
1 buffer-series-array  popl20-more/buffer-series-array 97.9  292.2 TO
1 queue-add-2-nl       popl20-more/queue-add-2-nl      14.4  15.7  TO
1 queue-add-3-nl       popl20-more/queue-add-3-nl      344   314   TO
1 dec-subseq-array     popl20-more/dec-subseq-array    4.6   7.3   TO
1 inc-subseq-array     popl20-more/inc-subseq-array    4.5   6.7   TO
2 dot-product-array    popl20-more/dot-product-array   62.2  105   50.8 54.6 TO
2 max-array-hom        popl20-more/max-array-hom       1644  906   756  1483 TO
2 max-array            popl20-more/max-array           232   306   36.2 446  TO
2 min-array-hom        popl20-more/min-array-hom       830   1366  578  578  TO
2 min-array            popl20-more/min-array           151.5 180   51.9 56.9 TO
2 sum-array-hom        popl20-more/sum-array-hom       116   167   115  123  TO
2 sum-array            popl20-more/sum-array           64    94.5  46.5 50.9 TO
2 parray-copy          popl20-more/parray-copy         311   407   218  232  TO
2 mts-array            popl20-more/mts-array           TO    TO    1176 1190 TO
2 sorted               popl20-more/sorted              TO    TO    819  TO   TO
2 commit-1             popl20/commit-1                 3.2   5.3   1.7  1.7  1.9
2 commit-2             popl20/commit-2                 15.9  38.4  6.4  14.4 31.1
2 two-queue            popl20/two-queue                8.1   2.6   15.1 15.2 57.7
2 Figure-1             popl20/figure1                  0.21  0.2   TO   TO   TO
2 Figure-1-alt         popl20/figure1-alt              1.4   2.1   1.2  3.0  3.2
2 counter-determinism  popl20/counter-determinism      5.8   10.5  TO   TO   TO
2 difference-det       popl20/difference-det           25.9  25.1  12.5 TO   TO
2 nonblocking-cntr     popl20/nonblocking-cntr         1.3   1.1   TO   TO   TO
2 nonblocking-cntr-alt popl20/nonblocking-cntr-alt     3.7   3.8   19.3 28.1 TO
2 min-le-max           popl20-more/min-le-max          3.2   2.7   0.2  0.1  0.4
2 threaded-sum-2       popl20-bad/threaded-sum-2       3.1   3.4   9.5  10   3.4
2 threaded-sum-3       popl20/threaded-sum-3           139   90.7  84.2 TO   TO
'''
# (table, name, file, the paper's seconds as text)
ROWS = [(int(w[0]), w[1], w[2] + '.wvr', w[3:]) for w in (line.split() for line in _ROWS.split('\n')) if w]
_PLACES = ('../shared/tasks/wvr', '../weaver/examples')  # from the repository's root


def best(seconds):
    return min(float(s) for s in seconds if s != 'TO')


def folder(given):
    """The folder with popl20 and its like; what was given, or else the first of the usual places that exists."""
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
    places = [given] if given else [os.path.normpath(os.path.join(root, p)) for p in _PLACES]
    for place in places:
        if os.path.isdir(os.path.join(place, 'popl20')):
            return place
    sys.exit('%s: no folder popl20 in %s.\nThe programs are Weaver\'s examples (github.com/weaver-verifier/weaver, folder examples): '
             'name the folder with --programs DIR, or make … WVR=DIR' % (os.path.basename(sys.argv[0]), ' or '.join(places)))


def chosen(words):
    """The rows whose name contains one of the words; all without words."""
    return [r for r in ROWS if not words or any(w in r[1] for w in words)]
