# SPDX-License-Identifier: Apache-2.0
"""Makes a C program smaller as long as it keeps a property."""
import time


def statement_end(lines, i):
    """The line behind the statement that begins at line i, with its block."""
    depth, end = 0, i
    while True:
        depth += lines[end].count('{') - lines[end].count('}')
        end += 1
        if depth <= 0 or end == len(lines):
            return end


def shrink(text, keeps, seconds):
    """Deletes statements and lines while keeps(text) is true, for some seconds."""
    end_of_time = time.time() + seconds
    lines, again = text.split('\n'), True
    while again and time.time() < end_of_time:
        again, i = False, 0
        while i < len(lines) and time.time() < end_of_time:
            for stop in dict.fromkeys((statement_end(lines, i), i + 1)):
                shorter = lines[:i] + lines[stop:]
                if not lines[i].startswith('#') and keeps('\n'.join(shorter)):
                    lines, again = shorter, True
                    break
            else:
                i += 1
    return '\n'.join(lines)
