# SPDX-License-Identifier: Apache-2.0
# The tool-info module of contrib/, with as much of BenchExec as it uses: its command lines run, and their output is understood.
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/benchexec/tools"; touch "$dir/benchexec/__init__.py" "$dir/benchexec/tools/__init__.py"
cat >"$dir/benchexec/result.py" <<'END'
RESULT_TRUE_PROP, RESULT_FALSE_PROP, RESULT_UNKNOWN, RESULT_ERROR = 'true', 'false', 'unknown', 'ERROR'
END
cat >"$dir/benchexec/tools/template.py" <<'END'
import subprocess
class BaseTool2:
    def _version_from_tool(self, executable, line_prefix):
        return subprocess.run([executable, '--version'], capture_output=True, text=True).stdout.strip()[len(line_prefix):].strip()
END
cat >"$dir/benchexec/tools/sv_benchmarks_util.py" <<'END'
ILP32, LP64 = 'ILP32', 'LP64'
def get_data_model_from_task(task, models):
    return models.get((task.options or {}).get('data_model'))
END
printf 'CHECK( init(main()), LTL(G ! call(reach_error())) )\n' >"$dir/unreach-call.prp"
printf 'CHECK( init(main()), LTL(G ! data-race) )\n' >"$dir/no-data-race.prp"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$dir:../../contrib python3 - "$HEDDLE" "$dir" <<'END'
import subprocess, sys, types, benchexec_heddle
heddle, dir = sys.argv[1:]
tool = benchexec_heddle.Tool()
print(tool.name(), tool.version(heddle))
for file, prop in [('lost_update', 'unreach-call'), ('lost_update', 'no-data-race'), ('locked_counter', 'unreach-call')]:
    task = types.SimpleNamespace(property_file='%s/%s.prp' % (dir, prop), input_files=['../../examples/%s.c' % file], options={'data_model': 'LP64'})
    line = tool.cmdline(heddle, ['-q'], task, types.SimpleNamespace(cputime=60))
    p = subprocess.run(line, capture_output=True, text=True)
    print(file, prop, tool.determine_result(types.SimpleNamespace(output=p.stdout.splitlines())))
for text in ['UNKNOWN  unreach-call  1 s', 'CONFIRMED  unreach-call  1 s', 'heddle: no such file', '']:
    print(repr(text), tool.determine_result(types.SimpleNamespace(output=text.splitlines())))
END
