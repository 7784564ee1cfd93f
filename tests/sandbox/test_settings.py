"""What one step changes in the settings of Python, torch and NumPy, no other step feels.

A row is what a step does, and what a later step sees of it. `kept` is a list of the student's file: what is put there
is not cleared away when the step ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch

from autograder.results import Outcome
from autograder.values.values import freeze, thaw
from tests.sandbox.conftest import asking

if TYPE_CHECKING:
    from collections.abc import Callable

    from autograder.sandbox.session import Session

SETTINGS: dict[str, tuple[str, str]] = {
    # torch: what new tensors are
    "default_device": ("torch.set_default_device('meta')", "str(torch.ones(2).device)"),
    "absent_default_device": ("torch.set_default_device('cuda')", "str(torch.ones(2).device)"),
    "default_device_in_a_block": (
        "with torch.device('meta'): torch.set_default_device('meta')",
        "str(torch.ones(2).device)",
    ),
    "device_entered": ("torch.device('meta').__enter__()", "str(torch.ones(2).device)"),
    "device_entered_twice": (
        "torch.device('meta').__enter__(); torch.device('cuda').__enter__()",
        "str(torch.get_default_device())",
    ),
    "default_dtype": ("torch.set_default_dtype(torch.float64)", "str(torch.ones(2).dtype)"),
    "default_tensor_type": (
        "torch.set_default_tensor_type(torch.DoubleTensor)",
        "str(torch.ones(2).dtype)",
    ),
    # torch: gradients
    "grad": (
        "torch.set_grad_enabled(False)",
        "(torch.ones(2, requires_grad=True) * 2).requires_grad",
    ),
    "no_grad_entered": (
        "kept.append(torch.no_grad()); kept[-1].__enter__()",
        "(torch.ones(2, requires_grad=True) * 2).requires_grad",
    ),
    "inference_mode": (
        "kept.append(torch.inference_mode()); kept[-1].__enter__()",
        "(torch.ones(2).is_inference(), (torch.ones(2, requires_grad=True) * 2).requires_grad)",
    ),
    "anomaly": ("torch.autograd.set_detect_anomaly(True)", "torch.is_anomaly_enabled()"),
    "anomaly_entered": (
        "torch.autograd.detect_anomaly().__enter__()",
        "torch.is_anomaly_enabled()",
    ),
    "saved_tensors_hooks": (
        "torch.autograd.graph.saved_tensors_hooks(lambda t: 3, lambda t: 1 / 0).__enter__()",
        "gradient()",
    ),
    "saved_tensors_hooks_disabled": (
        "torch.autograd.graph.disable_saved_tensors_hooks('no').__enter__()",
        "hooked()",
    ),
    # torch: how numbers are computed
    "threads": ("torch.set_num_threads(3)", "torch.get_num_threads()"),
    "deterministic": (
        "torch.use_deterministic_algorithms(True)",
        "torch.is_deterministic_algorithms_warn_only_enabled()",
    ),
    "fill_uninitialized": (
        "torch.utils.deterministic.fill_uninitialized_memory = False",
        "torch.utils.deterministic.fill_uninitialized_memory",
    ),
    "matmul_precision": (
        "torch.set_float32_matmul_precision('medium')",
        "torch.get_float32_matmul_precision()",
    ),
    "flush_denormal": (
        "torch.set_flush_denormal(True)",
        "float(torch.tensor(1e-310, dtype=torch.float64)) * 1.0",
    ),
    "mkldnn": ("torch._C._set_mkldnn_enabled(False)", "torch.backends.mkldnn.enabled"),
    "mkldnn_flags": (
        "torch.backends.mkldnn.flags(enabled=False).__enter__()",
        "torch.backends.mkldnn.enabled",
    ),
    "nnpack": ("torch.backends.nnpack.set_flags(False)", "torch._C._get_nnpack_enabled()"),
    "attention_kernels": (
        "[f(False) for f in (torch.backends.cuda.enable_flash_sdp, torch.backends.cuda.enable_math_sdp)]",
        "attends()",
    ),
    "attention_kernels_entered": (
        "kept.append(torch.nn.attention.sdpa_kernel([])); kept[-1].__enter__()",
        "attends()",
    ),
    "fast_path": (
        "torch.backends.mha.set_fastpath_enabled(False)",
        "torch.backends.mha.get_fastpath_enabled()",
    ),
    "autocast": (
        "kept.append(torch.autocast('cpu')); kept[-1].__enter__()",
        "str((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)",
    ),
    "autocast_dtype": (
        "torch.set_autocast_dtype('cpu', torch.float16)",
        "str(torch.get_autocast_dtype('cpu'))",
    ),
    "sparse_checks": (
        "torch.sparse.check_sparse_tensor_invariants.enable()",
        "torch.sparse.check_sparse_tensor_invariants.is_enabled()",
    ),
    # torch: what stands between a call and torch
    "function_mode": ("Doubling().__enter__()", "float(torch.ones(2).sum())"),
    "dispatch_mode": ("DoublingInside().__enter__()", "float(torch.ones(2).sum())"),
    "module_hook": (
        "torch.nn.modules.module.register_module_forward_hook(lambda *_: torch.zeros(2))",
        "layer()",
    ),
    "module_backward_hook": (
        "torch.nn.modules.module.register_module_full_backward_hook(lambda *_: None)",
        "torch.nn.modules.module._global_is_full_backward_hook",
    ),
    # torch: what is printed
    "print_options": (
        "torch.set_printoptions(precision=1, sci_mode=True)",
        "str(torch.tensor([1 / 3]))",
    ),
    "warn_always": ("torch.set_warn_always(True)", "torch.is_warn_always_enabled()"),
    # NumPy
    "numpy_errors": ("np.seterr(all='raise')", "divided()"),
    "numpy_errors_entered": ("np.errstate(all='raise').__enter__()", "divided()"),
    "numpy_error_call": (
        "np.seterrcall(print); np.seterr(divide='call')",
        "str(np.geterrcall()), divided()",
    ),
    "numpy_buffer": ("np.setbufsize(16)", "np.getbufsize()"),
    "numpy_print_options": ("np.set_printoptions(precision=1)", "str(np.array([1 / 3]))"),
    "numpy_bit_generator": ("np.random.set_bit_generator(np.random.PCG64(1))", "draws()"),
    # random numbers
    "seeds": ("torch.manual_seed(5); np.random.seed(5); random.seed(5)", "draws()"),
    "state": ("random.setstate(random.Random(4).getstate())", "draws()"),
    # Python
    "warnings_as_errors": ("warnings.simplefilter('error')", "warned()"),
    "warnings_reset": ("warnings.resetwarnings()", "len(warnings.filters)"),
    "warnings_caught": ("warnings.catch_warnings(record=True).__enter__()", "warned()"),
    "warnings_shown": ("warnings.showwarning = lambda *_, **__: 1 / 0", "warned()"),
    "recursion_limit": ("sys.setrecursionlimit(200)", "sys.getrecursionlimit()"),
    "digits": ("sys.set_int_max_str_digits(640)", "sys.get_int_max_str_digits()"),
    "decimal": ("decimal.getcontext().prec = 2", "str(decimal.Decimal(1) / 3)"),
    "decimal_other": ("decimal.setcontext(decimal.ExtendedContext)", "str(decimal.Decimal(1) / 3)"),
    "locale": ("locale.setlocale(locale.LC_ALL, 'C')", "locale.setlocale(locale.LC_ALL)"),
    "collector": ("gc.disable()", "gc.isenabled()"),
    "collector_threshold": ("gc.set_threshold(1)", "gc.get_threshold()"),
    "trace": ("sys.settrace(tracing)", "measured()"),
    "profile": ("sys.setprofile(lambda *_: None)", "sys.getprofile() is None"),
    "folder": ("os.chdir('/')", "os.getcwd()"),
    "environment": (
        "os.environ['NEW'] = '1'; del os.environ['HOME']",
        "'NEW' in os.environ, 'HOME' in os.environ",
    ),
    "context_variable": ("variable.set(2)", "variable.get()"),
    "timer": (
        "signal.signal(signal.SIGALRM, lambda *_: 1 / 0); signal.setitimer(signal.ITIMER_REAL, 60)",
        "signal.getitimer(signal.ITIMER_REAL)[0] > 0",
    ),
    "alarm": ("signal.alarm(60)", "signal.getitimer(signal.ITIMER_REAL)[0] > 0"),
    "timer_of_computing": (
        "signal.setitimer(signal.ITIMER_PROF, 60)",
        "signal.getitimer(signal.ITIMER_PROF)[0] > 0",
    ),
    "builtin": ("import builtins; builtins.sum = None", "sum([1])"),
    "output": ("sys.stdout = None", "sys.stdout is None"),
}
HELPERS = """
import contextvars, decimal, gc, locale, os, random, signal, sys, warnings
import numpy as np
import torch
import torch.nn.attention
import torch.utils.deterministic
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

kept = []
variable = contextvars.ContextVar("variable", default=1)

class Doubling(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), options=None):
        found = function(*arguments, **(options or {}))
        return found * 2 if function is torch.Tensor.sum else found

class DoublingInside(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        found = function(*arguments, **(options or {}))
        return found * 2 if function is torch.ops.aten.sum.default else found

def gradient():
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward()
    return x.grad.tolist()

def hooked():
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return gradient()

def attends():
    x = torch.ones(1, 1, 2, 2)
    return torch.nn.functional.scaled_dot_product_attention(x, x, x).tolist()

def layer():
    return torch.nn.Identity()(torch.ones(2)).tolist()

def divided():
    return str(np.ones(2) / np.zeros(2))

def draws():
    return float(torch.rand(1)), float(np.random.rand()), random.random()

def warned():
    with warnings.catch_warnings(record=True) as caught:
        warnings.warn("odd")
    warnings.warn("odd")
    return len(caught)

def tracing(frame, *_):
    if frame.f_code.co_name == "measured":
        raise ValueError("traced")

def measured():
    return len([1])
"""


def defined() -> str:
    """Return a file with two steps for each row: one that changes something, and one that feels it."""
    return HELPERS + "".join(
        f"def change_{name}(x):\n    {change}\n    return x\ndef feel_{name}(x):\n    return {felt}\n"
        for name, (change, felt) in SETTINGS.items()
    )


@pytest.fixture(scope="module")
def session(open_session: Callable[..., Session]) -> Session:
    steps = [f"{does}_{name}" for name in SETTINGS for does in ("change", "feel")]
    return open_session(defined(), *steps)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_a_step_sets_no_other_feels(session: Session, name: str) -> None:
    x = freeze(torch.ones(2))
    before = session.observe(asking(f"feel_{name}", x))
    changed = session.observe(asking(f"change_{name}", x))
    after = session.observe(asking(f"feel_{name}", x))

    assert (before.outcome, changed.outcome) == (Outcome.PASSED, Outcome.PASSED)
    assert after.error is None
    assert thaw(after.value) == thaw(before.value)
