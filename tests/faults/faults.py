"""The faults: slips of a programmer, each of which changes a point, an outcome, a file, a message or a safeguard."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault.

    Attributes:
        name: says what is wrong with the fault in place.
        file: the file, relative to the project.
        old: a text that occurs exactly once in the file.
        new: what stands there with the fault.
        tests: the nearest modules and folders of tests. They run first.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


FAULTS = (
    # Right or wrong.
    Fault(
        "tolerance_of_negative_numbers",
        "autograder/compare.py",
        "self.relative * np.abs(right)) + self.half_unit",
        "self.relative * right) + self.half_unit",
        ("tests/test_compare.py",),
    ),
    Fault(
        "finite_for_infinite",
        "autograder/compare.py",
        "wrong = ~(differences <= tolerance) | np.isinf(differences)",
        "wrong = ~(differences <= tolerance)",
        ("tests/test_compare.py",),
    ),
    Fault(
        "parameter_for_a_tensor",
        "autograder/compare.py",
        "if self.known and is_parameter(seen) and not is_parameter(wanted):",
        "if is_parameter(seen) and not is_parameter(wanted):",
        ("tests/test_compare.py",),
    ),
    Fault(
        "whole_unit_of_printed_numbers",
        "autograder/compare.py",
        "else 0.5 * 10.0**-right.decimals",
        "else 10.0**-right.decimals",
        ("tests/test_compare.py",),
    ),
    # Plain data.
    Fault(
        "bool_of_other_values",
        "autograder/values/wire.py",
        'if stored.kind == "b" and self.body',
        'if stored.kind == "?" and self.body',
        ("tests/values", "tests/fuzz/test_fuzz_frames.py"),
    ),
    Fault(
        "expanded_tensor_by_its_storage",
        "autograder/values/values.py",
        "if tensor.nbytes > MAX_BYTES:",
        "if tensor.untyped_storage().nbytes() > MAX_BYTES:",
        ("tests/values", "tests/sandbox/inside"),
    ),
    Fault(
        "fields_may_be_missing",
        "autograder/records.py",
        "form is not None or one.default is one.default_factory is MISSING",
        "one.default is one.default_factory is MISSING",
        ("tests/test_records.py", "tests/sandbox/test_worker_answers.py"),
    ),
    Fault(
        "large_file_is_cut",
        "autograder/files.py",
        "data = file.read(limit + 1)",
        "data = file.read(limit)",
        ("tests/test_files.py", "tests/submission/test_bad_files.py"),
    ),
    # What an author writes.
    Fault(
        "integer_is_drawn_again",
        "autograder/assignment/cases.py",
        "number += number >= earlier[0]",
        "number += number > earlier[0]",
        ("tests/assignment/test_cases.py", "tests/exam/test_draw.py"),
    ),
    # The questions and their answers.
    Fault(
        "tolerance_of_the_smallest_move",
        "autograder/exam/rounding.py",
        "float(moves.max())",
        "float(moves.min())",
        ("tests/exam/test_rounding.py",),
    ),
    Fault(
        "check_without_questions",
        "autograder/exam/expected_json.py",
        "if lacking := probes.keys() - asked:",
        "if lacking := asked - probes.keys():",
        ("tests/exam/test_expected_json.py", "tests/student/test_release_folder.py"),
    ),
    Fault(
        "calls_of_stand_ins_have_no_end",
        "autograder/exam/stand_ins.py",
        "if self._calls < 0 or self._bytes < 0:",
        "if self._calls < 0 and self._bytes < 0:",
        ("tests/exam/test_stand_ins.py", "tests/grading/test_stand_ins.py"),
    ),
    Fault(
        "corner_is_an_example",
        "autograder/exam/questions.py",
        "if other is not self.question and other.kind == kind",
        "if other is not self.question",
        ("tests/exam/test_questions.py",),
    ),
    # Why an answer is wrong.
    Fault(
        "same_effect_is_unsure",
        "autograder/exam/recognise.py",
        "sure=len({effect(exam, name) for name in names}) == 1",
        "sure=len(names) == 1",
        ("tests/explain/test_recognise.py",),
    ),
    Fault(
        "inf_that_hides_is_blamed",
        "autograder/explain/divergence.py",
        "for one in parts if one.ndim or holds is np.isnan)",
        "for one in parts)",
        ("tests/explain/test_divergence.py",),
    ),
    # From submissions to results.
    Fault(
        "half_of_what_stands_alone",
        "autograder/grading/points.py",
        "if criterion.alone or value is None or value.passed:",
        "if value is None or value.passed:",
        ("tests/grading/test_consequences.py", "tests/grading/test_stand_ins.py"),
    ),
    Fault(
        "own_answer_counts_beside_right_calls",
        "autograder/grading/grader.py",
        "before, points=after.points, called=called, repetition=None",
        "before, called=called, repetition=None",
        ("tests/grading/test_consequences.py", "tests/grading/test_stand_ins.py"),
    ),
    Fault(
        "late_at_the_deadline",
        "autograder/grading/lateness.py",
        "if after <= timedelta():",
        "if after < timedelta():",
        ("tests/grading/test_lateness.py",),
    ),
    Fault(
        "late_costs_more_than_was_earned",
        "autograder/grading/overrides.py",
        "points=max(given.points, -earned)",
        "points=given.points",
        ("tests/grading/test_overrides.py", "tests/grading/test_lateness.py"),
    ),
    Fault(
        "results_of_another_version",
        "autograder/grading/run_seed.py",
        'f"{self.assignment}\\0{digest}\\0{__version__}\\0{self.seed}"',
        'f"{self.assignment}\\0{digest}\\0{self.seed}"',
        ("tests/grading/test_run_seed.py", "tests/grading/test_open_run.py"),
    ),
    Fault(
        "half_of_the_gradients",
        "autograder/grading/judge.py",
        "not set(question.graph) <= set(reached.items)",
        "set(question.graph).isdisjoint(reached.items)",
        ("tests/grading/test_judge.py",),
    ),
    Fault(
        "hidden_numbers_in_an_exception",
        "autograder/grading/observations.py",
        "message = self._own(without_numbers(error.message), sizes=sizes)",
        "message = error.message",
        ("tests/grading/test_observations.py", "tests/grading/test_explaining.py"),
    ),
    # Where a student's code runs.
    Fault(
        "reason_of_the_grader",
        "autograder/sandbox/worker_answers.py",
        "if obstacle.reason not in UNSUITABLE or max(map(len, shapes)) > MAX_LENGTH:",
        "if obstacle.reason not in UNSUITABLE and max(map(len, shapes)) > MAX_LENGTH:",
        ("tests/sandbox/test_worker_answers.py",),
    ),
    Fault(
        "exit_code_0_is_a_crash",
        "autograder/sandbox/limits.py",
        "not 0 <= exit_code < _WINDOWS_CRASH",
        "not 0 < exit_code < _WINDOWS_CRASH",
        (
            "tests/sandbox/test_limits.py",
            "tests/sandbox/test_session.py",
            "tests/grading/test_endless_lines.py",
        ),
    ),
    Fault(
        "grandchildren_go_on",
        "autograder/sandbox/limits.py",
        "psutil.Process(process.pid).children(recursive=True)",
        "psutil.Process(process.pid).children()",
        ("tests/sandbox/test_fresh.py", "tests/sandbox/test_warm.py"),
    ),
    Fault(
        "values_are_not_put_back",
        "autograder/sandbox/inside/own_code.py",
        '    "autograder.sandbox.inside",\n    "autograder.values",\n)',
        '    "autograder.sandbox.inside",\n)',
        ("tests/sandbox/inside/test_own_code.py",),
    ),
    Fault(
        "outermost_lines_of_a_traceback",
        "autograder/sandbox/inside/student.py",
        '"frames": frames[-MAX_FRAMES:],',
        '"frames": frames[:MAX_FRAMES],',
        ("tests/sandbox/inside/test_student.py", "tests/explain/test_exceptions.py"),
    ),
    Fault(
        "limits_may_be_set",
        "autograder/sandbox/layers/seccomp.py",
        '"prlimit64": ({0: (_ALL, 0), 2: (_ALL, 0)},),',
        '"prlimit64": ({0: (_ALL, 0)},),',
        ("tests/sandbox/layers/test_seccomp.py",),
    ),
    Fault(
        "layer_that_fails_is_not_missed",
        "autograder/sandbox/layers/status.py",
        "return self.state in {LayerState.NOT_HERE, LayerState.FAILS}",
        "return self.state is LayerState.NOT_HERE",
        ("tests/sandbox/layers/test_status.py", "tests/commands/test_doctor.py"),
    ),
    # What was handed in.
    Fault(
        "way_out_of_an_archive_is_hidden",
        "autograder/submission/archive.py",
        'any(part.startswith(".") and part.strip(".") for part in parts)',
        'any(part.startswith(".") for part in parts)',
        ("tests/submission/test_hostile_archives.py", "tests/submission/test_find.py"),
    ),
    Fault(
        "encoding_in_the_second_line",
        "autograder/submission/decode.py",
        "in _LINE_END.split(data[:1000], 2)[:2]:",
        "in _LINE_END.split(data[:1000], 2)[:1]:",
        ("tests/submission/test_bad_files.py", "tests/submission/test_submission.py"),
    ),
    Fault(
        "lowest_number_of_a_copy",
        "autograder/submission/which_file.py",
        "-_copy_number(name, assignment), name)",
        "_copy_number(name, assignment), name)",
        ("tests/submission/test_submission.py",),
    ),
    Fault(
        "upload_by_its_id",
        "autograder/submission/platform_names.py",
        'upload = (number, int(found["upload"]))',
        'upload = (int(found["upload"]), number)',
        ("tests/submission/test_find.py", "tests/submission/test_identity.py"),
    ),
    Fault(
        "folder_that_is_listed_twice",
        "autograder/submission/platform_names.py",
        "if block is not None and count[head[1]] == 1:",
        "if block is not None:",
        ("tests/submission/test_identity.py",),
    ),
    # Views of a result.
    Fault(
        "decimal_comma_between_commas",
        "autograder/reports/formats/gradebook.py",
        '(signs or self.table.delimiter == ";")',
        '(signs and self.table.delimiter == ";")',
        ("tests/reports/formats",),
    ),
    Fault(
        "group_is_a_formula",
        "autograder/reports/grades_csv.py",
        "harmless_cell(person.group),",
        "person.group,",
        ("tests/reports/test_grades_csv.py",),
    ),
    # From the source to what students get, nbgrader, a student's machine, the command line.
    Fault(
        "answer_leaks_in_another_spelling",
        "autograder/release/build.py",
        "for ascii_only in (True, False))",
        "for ascii_only in (True,))",
        ("tests/release/test_build.py",),
    ),
    Fault(
        "mark_by_hand_of_another_answer",
        "autograder/nbgrader/gradebook.py",
        "if grade.manual_score is None or grade.auto_score != score:",
        "if grade.manual_score is None and grade.auto_score != score:",
        ("tests/nbgrader/test_write_marks.py", "tests/nbgrader/test_gradebook.py"),
    ),
    Fault(
        "run_that_was_used_is_forgotten",
        "autograder/student/cell_history.py",
        "if run.leaves <= replaced and not run.leaves & wanted:",
        "if run.leaves <= replaced:",
        ("tests/student/test_cell_history.py",),
    ),
    Fault(
        "just_enough_points_are_too_few",
        "autograder/commands/grade.py",
        "any(result.score < fail_under for result in handed_in)",
        "any(result.score <= fail_under for result in handed_in)",
        ("tests/commands/test_verdict.py",),
    ),
)
