"""What is said of the operation that raised: for each kind of message what it needs, and where to look.

The first row that fits is said. The named groups of a pattern are facts of its words, and so are what each operand is
(`{got}`), what is called (`{source}`), which sizes differ (`{inner}`) and a near name (`{near}`).
"""

from __future__ import annotations

from typing import NamedTuple

# Shapes that must be equal, and the inner sizes of a product.
SIZES_DIFFER = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
    r"|operands could not be broadcast together|The expanded size of the tensor"
    r"|could not broadcast input array|The shape of the mask|shape mismatch: "
    r"|size mismatch for \w+: copying"
)
PRODUCT = (
    r"mat1 and mat2 shapes cannot be multiplied|core dimension|not aligned|size mismatch, got input"
    r"|inconsistent tensor size|of batch2 tensor|1D tensors expected"
)
RESHAPED = "is invalid for input of size|cannot reshape array of size"
_AXIS = (
    r"Dimension out of range|out of bounds for array of dimension|axes don't match array|must be a 3D tensor"
    r"|contains too many subscripts|too many indices for|(?<!same )number of dimensions"
    r"|t\(\) expects a tensor with <= 2 dimensions"
)


class Known(NamedTuple):
    """Messages with their words.

    Attributes:
        message: a pattern of the type and the message.
        says: what is wrong.
        look: where to look.
    """

    message: str
    says: str
    look: str


# Messages whose cause says more than the operation.
CAUSES = {
    "input_asked": Known(
        "EOFError: EOF when reading a line",
        "`input()` asks a person, and nobody answers while a step is checked.",
        "What `input()` should give: a step gets all that it needs by its arguments.",
    ),
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
        r"unsupported operand type.*'Softmax'|not Softmax\b|Softmax.{0,20} got multiple values"
        "|dim must be an int or None",
        "`nn.Softmax(...)` makes a layer and computes nothing yet: the layer is called with the scores afterwards. "
        "`torch.softmax` is the function that computes at once.{got}",
        "The line with `nn.Softmax`: what is in its brackets, and what is called with the scores?",
    ),
    "seed_without_a_number": Known(
        r": seed\(\) takes (?:0|no) ",
        "`torch.seed()` takes no number: it draws a seed of its own.",
        "The function that takes the seed is `torch.manual_seed`.",
    ),
    "function_of_tensors_on_a_number": Known(
        r"\b(?P<function>\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (?P<kind>int|float|bool)\b",
        "`torch.{function}` takes a tensor; here it got a plain number of type {kind}.{got}",
        "For a plain number use Python's own arithmetic: the module math, or the operator `**` for powers.",
    ),
    "numpy_of_a_trained_tensor": Known(
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor with gradients does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    "device_not_there": Known(
        r"not compiled with (?:CUDA|XPU)|without MPS backend|No CUDA GPUs|Found no NVIDIA|re-initialize CUDA"
        r"|arguments from the '(?:CUDA|MPS|XPU)' backend"
        r"|not linked with support for (?:cuda|mps|xpu)|MPS backend is not|Cannot access accelerator device",
        "This line asks for a graphics processor (GPU). There is none where your work is checked: it runs on the CPU.",
        "`.cuda()`, `.to(...)` or `device=` in this line, and where its device is chosen: leave it out, or use the "
        "device of an input, such as `x.device`.",
    ),
    "module_not_there": Known(
        r"No module named '(?P<name>[\w.]+)'",
        "There is no module `{name}` here.",
        "This import: only Python's own modules, torch, NumPy and what the release itself imports are there when your "
        "work is graded, and only one file is handed in.",
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
        "Under this name the module, or the class that it is made from, holds a Parameter or a layer already, and only "
        "one of the same kind may take its place.",
        "Which of the two is asked for under this name, and which line makes the other one?",
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
    "module_without_forward": Known(
        r'Module \[(?P<kind>\w+)\] is missing the required "forward" function',
        "This line calls a {kind}, which has no `forward`: it holds parts and computes nothing by itself.",
        "What is called in this line: its parts, such as the modules of a list, are called one by one.",
    ),
    "values_left_out": Known(
        r"torch\.return_types",
        "With a dim, torch.max and torch.min give two things back: the numbers (`.values`) and their places.{got}",
        "The maximum: `.values` after it takes the numbers alone, and torch.amax gives only these.",
    ),
    "yes_or_no_of_many_numbers": Known(
        r"Boolean value of Tensor with more than one value is ambiguous"
        r"|truth value of an array with more than one element is ambiguous",
        "This needs one yes or no (for `and`, `or`, `not`, `if`, `while`, `assert`, or Python's own `max`, `min` or "
        "`sorted`), and many numbers have many.{got}",
        "Is one single number meant? For all numbers at once, torch and NumPy have functions of the same name.",
    ),
    "not_in_order_for_view": Known(
        r"view size is not compatible with input tensor's size and stride",
        "After an exchange of axes the numbers no longer stand in memory in their order, and `view` needs that.",
        "The `view` in this line: `contiguous` before it puts the numbers in order, and `reshape` does so by itself.",
    ),
    "size_is_no_whole_number": Known(
        r"type must be tuple of (?:Sym)?[Ii]nts, ?but got float|'float' object cannot be interpreted as an integer"
        r"|must be (?:int|tuple of ints), not float|\bdim=float\b",
        "A size, an axis or a number of rounds has to be a whole number, and one of them is a float here.{got}",
        "The division that makes it: `/` always gives a float, `//` a whole number. Or does it divide the wrong thing?",
    ),
    "indices_not_whole": Known(
        r"Expected tensor for argument #1 'indices' to have one of the following scalar types"
        r"|tensors used as indices must be long",
        "Only whole numbers can point at a row, and these indices are of another dtype.{got}",
        "Where the indices are made: their dtype.",
    ),
    "mask_of_numbers": Known(
        r"masked_fill_? only supports boolean masks, but got mask with dtype (?P<dtype>\w+)",
        "A mask holds True and False, and this one holds numbers ({dtype}).{got}",
        "The mask in this line, or the line that makes it: its dtype.",
    ),
    "no_list_of_numbers": Known(
        r"Could not infer dtype of (?P<kind>generator|map|filter|zip|set|range|dict_\w+)",
        "A tensor is made from a list of numbers; this is something of type {kind}.",
        "The brackets in this line: square brackets, `[...]`, make a list.",
    ),
    "calls_itself": Known(
        r"maximum recursion depth exceeded",
        "A function calls itself, without an end.",
        "The name that is called in this line: is it the function's own name?",
    ),
}

# What an operation needs.
OPERATIONS = {
    "none_used": Known(
        r"\b(?<!out=)NoneType\b",  # torch 2.4 lists arguments that are left out
        "Something in this line is None.{got}",
        "The line that makes it: what does it give back?",
    ),
    "number_function_on_a_tensor": Known(
        r"only one element tensors can be converted|a Tensor with \d+ elements cannot be converted to Scalar"
        r"|only (?:length-1|0-dimensional) arrays can be converted",
        "This needs one number, and many numbers came.{got}",
        "What the function gets here. For all numbers at once, torch and NumPy have a function of the same name.",
    ),
    "inner_sizes_differ": Known(
        PRODUCT,
        "In a matrix product the inner sizes must be equal{inner}.{turned}{got}",
        "The two shapes: what does each axis count, and which two are the inner ones?",
    ),
    "inner_sizes_differ.batch": Known(
        rf"^@ .*(?:{SIZES_DIFFER})",
        "The last two axes fit for a matrix product, and the axes before them do not.{got}",
        "The axes before the last two: what do they count?",
    ),
    "product_by_numbers": Known(
        rf"^\* .*(?:{SIZES_DIFFER})",
        "`*` multiplies number by number, so along each axis the two sizes must be equal, or one of them 1.{got}",
        "What each side counts. A matrix product is another operator, `@`.",
    ),
    "shapes_differ": Known(
        SIZES_DIFFER,
        "These shapes do not fit: along each axis the two sizes must be equal, or one of them 1.{got}",
        "",
    ),
    "dtypes_differ": Known(
        r"expected m1 and m2 to have the same dtype|expected scalar type|must have the same dtype",
        "One dtype is needed on both sides.{got}",
        "Where was one of them turned into another dtype?",
    ),
    "sizes_in_view": Known(
        RESHAPED,
        "The new sizes must multiply to as many numbers as there are.{got}",
        "Each of the sizes in this line: is it the size that its name says?",
    ),
    "parts_do_not_fit": Known(
        "values to unpack",
        "Something is taken apart here, and it does not have as many parts as there are names for them.{got}",
        "What is taken apart, and into what?",
    ),
    "one_part": Known(
        r"cannot unpack non-iterable (?P<kind>[\w.]+)",
        "Something of type {kind} is taken apart here, and it has no parts.{got}",
        "What gives it? A loop over a dictionary gives its keys alone, and one over `.items()` gives pairs.",
    ),
    "axes_of_an_index": Known(
        r"Index tensor must have the same number of dimensions",
        "The index must have as many axes as what it takes the numbers from.{got}",
        "The index: which axis is missing? `unsqueeze` adds one.",
    ),
    "not_each_axis": Known(
        r"number of dimensions in the tensor input does not match|axes don't match array",
        "Each axis has to be named once here, and there are more axes, or fewer.{got}",
        "How many axes come in? With a batch or heads there are more; -1 and -2 are always the last two.",
    ),
    "changed_in_a_loop": Known(
        r"dictionary (?:changed size|keys changed) during iteration",
        "A dictionary gets or loses keys here, while a loop goes over it.{got}",
        "Where the new entries go: into the dictionary that is read, or into another one?",
    ),
    "no_such_axis": Known(
        rf"{_AXIS}|tuple index out of range",
        "There is no such axis here. Axes count from 0; -1 is the last one.{got}",
        "The axes that this line asks for: what does each axis count?",
    ),
    "index_too_large": Known(
        r"IndexError: (?:list |string )?index (?:-?\d+ is )?out of (?:bounds|range)",
        "There is no entry with this number: they count from 0, so the last one is one less than the size.{got}",
        "Each index: does it count the axis in which it stands, and how far does it count?",
    ),
    "key_missing": Known(
        r"^\W*KeyError: ",
        "The dictionary has no such key.{got}",
        "The key that is looked up: where does it come from?",
    ),
    "tensor_called": Known(
        r"'(?P<kind>[\w.]+)' object is not callable",
        "Round brackets call a function, and `{source}` is not one: it is of type {kind}.{near}{got}",
        "What belongs between the two? An operator such as `@` or `*` may be missing, then their order counts; or a "
        "pair of brackets is too many.",
    ),
    "not_subscriptable": Known(
        r"'(?P<kind>[\w.]+)' object is not subscriptable",
        "Square brackets take an entry out of a tensor or a list; this is something of type {kind}.{got}",
        "The brackets in this line: a function or a layer is called with round ones.",
    ),
}
MESSAGES = CAUSES | OPERATIONS
