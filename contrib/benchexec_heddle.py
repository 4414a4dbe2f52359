# SPDX-License-Identifier: Apache-2.0
"""Tells BenchExec how to run Heddle. BenchExec finds heddle in the folder of --tool-directory, or else in the PATH."""
import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Runs Heddle, a verifier of multi-threaded C programs."""

    REQUIRED_PATHS = ["bin", "lib/heddle", "share/heddle"]

    def program_files(self, executable):
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="bin")

    def name(self):
        return "Heddle"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heddle")

    def cmdline(self, executable, options, task, rlimits):
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        own = ["--data-model", model] if model else []
        if task.property_file:
            own += ["--property", task.property_file]
        if rlimits.cputime:
            own += ["--timeout", str(rlimits.cputime)]
        return [executable, *options, *own, *task.input_files]

    def determine_result(self, run):
        """Reads the first line that begins with a verdict. Its second word is the property."""
        known = ("SAFE", "UNSAFE", "UNKNOWN", "CONFIRMED", "REFUSED")
        words = next((line.split() for line in run.output if line.startswith(known)), [])
        if not words:
            return result.RESULT_ERROR
        if words[0] == "SAFE":
            return result.RESULT_TRUE_PROP
        if words[0] == "UNSAFE":
            return "%s(%s)" % (result.RESULT_FALSE_PROP, words[1])
        return words[0].lower()  # unknown; after the check of a witness also confirmed or refused
