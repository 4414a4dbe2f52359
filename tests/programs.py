# SPDX-License-Identifier: Apache-2.0
"""What the first lines of a test program say: what is expected, and with which flags."""
import re, shlex


def head(path):
    """The 'key: value' comments of the first lines."""
    found = {}
    with open(path, errors='replace') as f:
        for line in list(f)[:20]:
            m = re.match(r'\s*(?://|;|#|/\*)\s*(expect|flags|broken):\s*(.*?)\s*(?:\*/)?\s*$', line)
            if m and m.group(1) not in found:
                found[m.group(1)] = m.group(2)
    return found


def flags(path):
    """The flags of a test, and those for clang. The property of a C program is unreach-call if no flag says otherwise."""
    own, _, clang = head(path).get('flags', '').partition('-- ')
    if path.startswith('tests/c/') and not re.search(r'(^| )(-p|--property)\b', own):
        own += ' -p unreach-call'
    return shlex.split(own), shlex.split(clang)
