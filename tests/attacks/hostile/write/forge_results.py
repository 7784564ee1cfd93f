"""Writes its own results.json, the class's table and the run's file, where the results are.

catalogue: 10
stopped_by: landlock; bubblewrap; results are written by the grader after all student code has ended; mounts
stand_in: landlock bubblewrap mounts
"""
import os


def init_weights(d_in, d_out, seed):
    for path in ("forged/results.json", "grades.csv", "run.json", "@TOKEN@.json"):
        path = os.path.join("@RESULTS@", path)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write('{"score": 20}')
        except OSError as error:
            print(error)
