"""The global settings of Python, torch and NumPy, restored before each question.

What a step changes here, such as torch's default device, no other step feels. Variables of the context (NumPy's error
handling, the decimal context) need no restoring: each request is answered in a context of its own.
"""

from __future__ import annotations

import gc
import locale
import os
import re
import signal
import sys
import warnings
from functools import cache, partial
from operator import call
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping, Sequence

# Functions of one module that write and read one setting: `_set_NAME` and `_get_NAME`, `_is_NAME` or `_NAME`. Left out
# is what torch lets one set only once, what only a GPU feels, and the old names for automatic casts, which warn.
_WRITES = re.compile(r"_?set(?!_(?:cu|miopen|thread|num_interop|autocast_(?!cache)))(\w+)")
_READS = ("_get", "get", "_is", "is", "")
_OF_ATTENTION = re.compile(r"_sdp_use_(\w+)")
_ABSENT = object()
_PLAIN = (bool, int, float, str, list)


class _Setting(NamedTuple):
    """The functions that read and write one setting, as they were before student code ran."""

    read: Callable[[], Any]
    write: Callable[[Any], object]


class Settings:
    """Some settings, as they are now."""

    def __init__(self, settings: Sequence[_Setting]) -> None:
        self._reads = [one.read for one in settings]
        self._writes = [one.write for one in settings]
        self._kept = [_copied(value) for value in map(call, self._reads)]

    def put_back(self) -> None:
        """Restore each setting that has changed."""
        if list(map(call, self._reads)) == self._kept:
            return
        for read, write, kept in zip(self._reads, self._writes, self._kept, strict=True):
            if read() != kept:
                write(_copied(kept))


def _copied(value: Any) -> Any:
    """Return a copy of what may be changed in place, such as NumPy's list of its error handling."""
    return value.copy() if isinstance(value, dict | list) else value


@cache
def all_settings() -> tuple[_Setting, ...]:
    """Return all settings, in the order in which they are restored. The fork server calls this before it forks."""
    return *modes(), *_of_torch(), *_of_numpy(), *_of_python()


@cache
def modes() -> tuple[_Setting, ...]:
    """Return what may stand between a call and torch, such as the default device."""
    import torch.utils._device  # noqa: PLC0415 - after the streams are moved, as torch
    import torch.utils._python_dispatch as dispatch  # noqa: PLC0415

    core = torch._C  # noqa: SLF001 - here and below: these settings have no other names
    return (
        _size(core._len_torch_function_stack, torch.overrides._pop_mode),  # noqa: SLF001
        _size(core._len_torch_dispatch_stack, dispatch._pop_mode),  # noqa: SLF001
        _name(torch._GLOBAL_DEVICE_CONTEXT, "device_context"),  # noqa: SLF001
        _name(torch.utils._device, "CURRENT_DEVICE"),  # noqa: SLF001
    )


def default_device() -> str:
    """Return the default device, which may be none of this machine's: then torch's own function raises."""
    import torch.utils._device  # noqa: PLC0415

    core = torch._C  # noqa: SLF001
    stack = map(core._get_function_stack_at, range(core._len_torch_function_stack()))  # noqa: SLF001
    context = torch.utils._device.DeviceContext  # noqa: SLF001
    return next((str(mode.device) for mode in stack if isinstance(mode, context)), "cpu")


def _of_torch() -> Iterator[_Setting]:
    import torch  # noqa: PLC0415

    core, module = torch._C, torch.nn.modules.module  # noqa: SLF001
    yield _inference(torch.is_inference_mode_enabled, core._InferenceMode)  # noqa: SLF001 - first: it changes others
    yield from _pairs(core, torch.dtype)
    yield _Setting(
        partial(torch.is_autocast_enabled, "cpu"), partial(torch.set_autocast_enabled, "cpu")
    )
    yield _Setting(
        partial(torch.get_autocast_dtype, "cpu"), partial(torch.set_autocast_dtype, "cpu")
    )
    yield _saved_tensors_hooks(core._autograd)  # noqa: SLF001
    least = sys.float_info.min
    yield _Setting(lambda: least / 2 == 0, torch.set_flush_denormal)
    printing = vars(torch._tensor_str.PRINT_OPTS)  # noqa: SLF001
    yield _Setting(printing.copy, printing.update)
    for hooks in [held for name, held in vars(module).items() if name.startswith("_global")]:
        if isinstance(hooks, dict):
            yield _size(hooks.__len__, hooks.popitem)
    yield _name(module, "_global_is_full_backward_hook")
    yield _name(torch.backends.mha, "_is_fastpath_enabled")


def _of_numpy() -> Iterator[_Setting]:
    import numpy  # noqa: ICN001, PLC0415

    np: Any = numpy  # its types leave out what is read here
    yield _Setting(np.random.get_bit_generator, np.random.set_bit_generator)
    if hasattr(np, "geterrobj"):  # NumPy 2 has variables of the context
        yield _Setting(np.geterrobj, np.seterrobj)
        yield _Setting(np.get_printoptions, lambda kept: np.set_printoptions(**kept))


def _of_python() -> Iterator[_Setting]:
    yield from _pairs(sys)
    yield _Setting(sys.gettrace, sys.settrace)
    yield _Setting(sys.getprofile, sys.setprofile)
    yield from (_name(warnings, name) for name in ("showwarning", "_showwarnmsg_impl"))
    yield _Setting(
        partial(getattr, warnings, "filters"), partial(_set_filters, warnings.resetwarnings)
    )
    switch = gc.disable, gc.enable
    yield _Setting(gc.isenabled, lambda kept: switch[kept]())
    yield _Setting(gc.get_threshold, partial(_spread, gc.set_threshold))
    everywhere = partial(locale.setlocale, locale.LC_ALL)
    yield _Setting(everywhere, everywhere)
    yield _Setting(os.getcwd, os.chdir)
    yield _Setting(partial(getattr, os.environ, "_data"), partial(_set_environment, os.environ))
    for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF"):
        timer = getattr(signal, name, None)
        if timer is not None:
            write = partial(_spread, partial(signal.setitimer, timer))
            yield _Setting(partial(signal.getitimer, timer), write)


def _pairs(module: Any, *plain: type) -> Iterator[_Setting]:
    """Yield the settings for which a module has one function that reads and one that writes."""
    for found in filter(None, map(_WRITES.fullmatch, dir(module))):
        name = _OF_ATTENTION.sub(r"_\1_sdp_enabled", found[1])
        for does in _READS:
            read = getattr(module, does + name, None)
            if read is not None and _reads(read, (*_PLAIN, *plain)):
                yield _Setting(read, getattr(module, found[0]))
                break


def _reads(function: Callable[[], Any], plain: tuple[type, ...]) -> bool:
    """Return whether a function reads a value in the form in which another one writes it."""
    try:
        return isinstance(function(), plain)
    except (TypeError, RuntimeError):  # it needs arguments, or a GPU
        return False


def _name(owner: object, name: str) -> _Setting:
    def write(kept: object) -> None:
        if kept is _ABSENT:
            delattr(owner, name)
        else:
            setattr(owner, name, kept)

    return _Setting(partial(getattr, owner, name, _ABSENT), write)


def _size(read: Callable[[], int], pop: Callable[[], object]) -> _Setting:
    popped = []  # kept: torch 2.4 counts one reference to a mode too few

    def write(kept: int) -> None:
        while read() > kept:
            popped.append(pop())

    return _Setting(read, write)


def _inference(read: Callable[[], bool], guard: Any) -> _Setting:
    entered = []  # a guard that is forgotten ends

    def write(kept: bool) -> None:
        entered.append(guard(kept))
        entered[-1].__enter__()

    return _Setting(read, write)


def _saved_tensors_hooks(autograd: Any) -> _Setting:
    """Return whether there are hooks: only then torch refuses to forbid them. Older versions cannot be asked."""
    forbid, allow = autograd._saved_tensors_hooks_disable, autograd._saved_tensors_hooks_enable  # noqa: SLF001

    def read() -> bool:
        try:
            forbid("")
        except RuntimeError:
            return True
        finally:
            allow()
        return False

    return _size(read, autograd._pop_saved_tensors_default_hooks)  # noqa: SLF001


def _set_environment(environment: MutableMapping[str, str], kept: dict[Any, Any]) -> None:
    environment.clear()
    environment.update({os.fsdecode(name): os.fsdecode(value) for name, value in kept.items()})


def _set_filters(reset: Callable[[], None], kept: list[Any]) -> None:
    reset()  # also makes Python forget which filter each warning met
    vars(warnings)["filters"].extend(kept)


def _spread(write: Callable[..., object], kept: tuple[Any, ...]) -> None:
    write(*kept)
