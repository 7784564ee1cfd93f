"""Makes the worker's own helper threads run its code: they may have been started before the layers were put on.

stopped_by: layers are put on while the process has one thread only
"""
import sys
import threading

FOUND = []


def tries(function):
    def run(*arguments, **options):
        if threading.current_thread() is not threading.main_thread():
            try:
                FOUND.append(open("@SECRET_FILE@").read())
            except OSError as error:
                FOUND.append(repr(error))
        return function(*arguments, **options)

    return run


for name, module in list(sys.modules.items()):
    if name == "__main__" or name.startswith("autograder."):
        for key, thing in list(vars(module).items()):
            if type(thing) is type(tries) and thing.__module__.startswith(("__main__", "autograder.sandbox")):
                setattr(module, key, tries(thing))


def attention_score(query, key):
    print(threading.enumerate(), FOUND)


def scale_scores(scores, d_k):
    print(threading.enumerate(), FOUND)
