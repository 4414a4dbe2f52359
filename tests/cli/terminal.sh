# On a terminal: columns, colours, and a progress line that is gone at the end.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cp ../../examples/lost_update.c "$dir"; cd "$dir"
python3 - "$HEDDLE" <<'END'
import fcntl, os, pty, struct, sys, termios
def run(columns, *arguments):
    pid, fd = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 40, columns, 0, 0))
        os.environ['TERM'] = 'xterm'
        os.execv(sys.argv[1], [sys.argv[1], *arguments])
    out = b''
    while True:
        try: chunk = os.read(fd, 4096)
        except OSError: break
        if not chunk: break
        out += chunk
    os.waitpid(pid, 0)
    return out.decode()
wide, narrow = run(110, '-punreach-call', 'lost_update.c'), run(60, '-punreach-call', 'lost_update.c')
print('columns', '┄' in wide, '┄' in narrow)
print('lines', 'context switch\x1b' in narrow, 'context switch\x1b' in wide)
print('colours', '\x1b[1;31mUNSAFE' in wide)
print('cleared', wide[:wide.index('UNSAFE')].endswith('\r\x1b[K\x1b[1;31m'))
print('never', '\x1b[1' in run(110, '--color', 'never', 'lost_update.c'))
END
