"""Messages of exceptions whose cause says more than the operation that raised: what is wrong, and where to look.

The named groups of a message are facts of its words. The first row that fits is said, and after it the operands.
"""

from __future__ import annotations

from typing import NamedTuple

_ROUND = "The brackets in this line: a function or a layer is called with round ones."


class Known(NamedTuple):
    """A message with its words.

    Attributes:
        message: a pattern of the message.
        says: what is wrong.
        look: where to look.
        shows: whether the operands are shown, too.
    """

    message: str
    says: str
    look: str
    shows: bool = False


MESSAGES = {
    "caret_for_power": Known(
        r"unsupported operand type\(s\) for \^|bitwise_xor",
        "In Python `^` is not a power: it compares bits.",
        "The `^` in this line: a power is written with two asterisks.",
    ),
    "softmax_without_dim": Known(
        # torch 2.4 lists its signatures instead of naming the missing argument.
        r'softmax\(\) (missing 1 required positional arguments?: "?dim|'
        r"received an invalid combination of arguments - got \((Tensor)?\))",
        "The softmax needs an axis: its argument `dim` is missing.",
        "The argument `dim` of the softmax: along which axis do the weights of one query lie?",
    ),
    "softmax_layer": Known(
        r"unsupported operand type.*'Softmax'|not Softmax\b|Softmax.{0,20} got multiple values",
        "`nn.Softmax(...)` makes a layer and computes nothing yet: the layer is called with the scores afterwards. "
        "`torch.softmax` is the function that computes at once.",
        "The line with `nn.Softmax`: what is in its brackets, and what is called with the scores?",
    ),
    "seed_without_a_number": Known(
        r"^seed\(\) takes (?:0|no) ",
        "`torch.seed()` takes no number: it draws a seed of its own.",
        "The function that takes the seed is `torch.manual_seed`.",
    ),
    "transpose_without_axes": Known(
        r"(?P<function>transpose|swapaxes)\(\) (?:missing|received an invalid combination)",
        "torch's `{function}` needs the two axes that change places. Here it got none.",
        "The brackets of `{function}`. A matrix has the axes 0 and 1; `.T` needs no numbers.",
    ),
    "function_of_tensors_on_a_number": Known(
        r"\b(?P<function>\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (?P<kind>int|float|bool)\b",
        "`torch.{function}` takes a tensor; here it got a plain number of type {kind}.",
        "For a plain number use Python's own arithmetic: the module math, or the operator `**` for powers.",
        shows=True,
    ),
    "number_function_on_a_tensor": Known(
        r"only one element tensors can be converted|a Tensor with \d+ elements cannot be converted to Scalar"
        r"|only (?:length-1|0-dimensional) arrays can be converted",
        "This needs one number, and many numbers came.",
        "What the function gets here. For all numbers at once, torch and NumPy have a function of the same name.",
        shows=True,
    ),
    "numpy_of_a_trained_tensor": Known(
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor with gradients does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    "device_not_there": Known(
        r"not compiled with (?:CUDA|XPU)|No CUDA GPUs|Found no NVIDIA|re-initialize CUDA"
        r"|arguments from the '(?:CUDA|MPS|XPU)' backend"
        r"|not linked with support for (?:cuda|mps|xpu)|MPS backend is not|Cannot access accelerator device",
        "This line asks for a graphics processor, and none is there. The steps are checked on the CPU.",
        "`.cuda()`, `.to(...)` or `device=` in this line, and where its device is chosen: leave it out.",
    ),
    "module_not_there": Known(
        r"No module named '(?P<name>[\w.]+)'",
        "There is no module `{name}` here.",
        "This import: the steps need only torch and NumPy, and what you wrote yourself must stand in the one file that "
        "is handed in.",
    ),
    "super_without_brackets": Known(
        r"descriptor '__init__' .*'super' object",
        "`super` without brackets is not the parent class.",
        "The line with `super`: write `super().__init__()`.",
    ),
    "no_super_init": Known(
        r"cannot assign \w+ before Module.__init__\(\) call",
        "A module can hold parameters and layers only after `super().__init__()` has run, and it has not run yet.",
        "The first line of `__init__`: is `super().__init__()` there, with both pairs of brackets?",
    ),
    "tensor_for_a_parameter": Known(
        r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
    ),
    "overwritten_while_recorded": Known(
        r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "PyTorch records what happens to trainable parameters. While it records, they cannot be overwritten.",
        "Copying numbers is not a part of the computation: do it under torch.no_grad().",
    ),
    "names_of_parameters_differ": Known(
        r"(?:Missing|Unexpected) key\(s\) in state_dict",
        "The two modules keep their parameters under different names (the message lists them), so none was copied.",
        "`load_state_dict` copies between modules that use the same names. Each matrix can be copied by itself.",
    ),
    "copied_into_another_shape": Known(
        r"size mismatch for \w+: copying a param",
        "`load_state_dict` puts each number in its place, and these shapes differ.",
        "The shapes in the message. Must one of the matrices be transposed?",
    ),
    "module_without_forward": Known(
        r'Module \[(?P<kind>\w+)\] is missing the required "forward" function',
        "This line calls a {kind}, which has no `forward`: it holds parts and computes nothing by itself.",
        "What is called in this line: its parts, such as the modules of a list, are called one by one.",
    ),
    "values_left_out": Known(
        r"torch\.return_types",
        "With a dim, torch.max and torch.min give two things back: the numbers (`.values`) and their places.",
        "The maximum: `.values` after it takes the numbers alone, and torch.amax gives only these.",
        shows=True,
    ),
    "yes_or_no_of_many_numbers": Known(
        r"Boolean value of Tensor with more than one value is ambiguous"
        r"|truth value of an array with more than one element is ambiguous",
        "This needs one yes or no (for `and`, `or`, `not`, `if`, `while`, `assert`, or Python's own `max`, `min` or "
        "`sorted`), and many numbers have many.",
        "Is one single number meant? For all numbers at once, torch and NumPy have functions of the same name.",
        shows=True,
    ),
    "format_of_many_numbers": Known(
        r"unsupported format string passed to (?:\w+\.)?(?P<kind>\w+)\.__format__",
        "A format such as `:.2f` writes one single number, and this is something of type {kind}.",
        "The text with the format: leave out what follows the `:`, or print one entry.",
    ),
    "asks_for_input": Known(
        r"EOF when reading a line",
        "`input()` waits for somebody to type, and nobody does while a step is checked.",
        "The line with `input()`: a step gets what it needs as arguments.",
    ),
    "no_list_of_numbers": Known(
        r"Could not infer dtype of (?P<kind>generator|map|filter|zip|set|range|dict_\w+)",
        "A tensor is made from a list of numbers; this is something of type {kind}.",
        "The brackets in this line: square brackets, `[...]`, make a list.",
        shows=True,
    ),
    "dict_changed_in_its_loop": Known(
        r"dictionary (?:changed size|keys changed) during iteration",
        "A loop over a dictionary must not add keys to it, nor take keys away.",
        "The loop in this line: fill a new dictionary, and return that.",
    ),
    "not_in_order_for_view": Known(
        r"view size is not compatible with input tensor's size and stride",
        "After an exchange of axes the numbers no longer stand in memory in their order, and `view` needs that.",
        "The `view` in this line: `contiguous` before it puts the numbers in order, and `reshape` does so by itself.",
    ),
    "size_is_no_whole_number": Known(
        r"type must be tuple of (?:Sym)?[Ii]nts, ?but got float|'float' object cannot be interpreted as an integer"
        r"|must be (?:int|tuple of ints), not float",
        "A size, an axis or a number of rounds has to be a whole number, and one of them is a float here.",
        "The division that makes it: `/` always gives a float, `//` a whole number. Or does it divide the wrong thing?",
        shows=True,
    ),
    "indices_not_whole": Known(
        r"Expected tensor for argument #1 'indices' to have one of the following scalar types"
        r"|tensors used as indices must be long",
        "Only whole numbers can point at a row, and these indices are of another dtype.",
        "Where the indices are made: their dtype.",
        shows=True,
    ),
    "mask_of_numbers": Known(
        r"masked_fill_? only supports boolean masks, but got mask with dtype (?P<dtype>\w+)",
        "A mask holds True and False, and this one holds numbers ({dtype}).",
        "The mask in this line, or the line that makes it: its dtype.",
        shows=True,
    ),
    "calls_itself": Known(
        r"maximum recursion depth exceeded",
        "A function calls itself, without an end.",
        "The name that is called in this line: is it the function's own name?",
    ),
    "not_subscriptable": Known(
        r"'(?P<kind>(?!NoneType)[\w.]+)' object is not subscriptable",
        "Square brackets take an entry out of a tensor or a list; this is something of type {kind}.",
        _ROUND,
        shows=True,
    ),
}
