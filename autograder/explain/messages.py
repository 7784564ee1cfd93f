"""Messages of exceptions that a beginner may not understand: each with what is wrong, and where to look.

The named groups of a message are facts of its words. A finding is sure where the statement that failed shows the cause.
The first row that fits is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.explain.raised import (
    all_of,
    asks_yes_or_no,
    calls_without,
    counts_a_batch,
    formats_text,
    keeps_the_order,
    lacks,
    shows,
    shows_one,
    stores_on_self,
    unpacks_pairs,
)

if TYPE_CHECKING:
    from autograder.explain.raised import LineTest


class Known:
    """A message with its words.

    Args:
        message: a pattern of the message.
        says: what is wrong.
        look: where to look.
        patterns: what the statement that failed may show, as Python.
        line: another test of this statement.
        assigned: where its variables got their values may show it, too.
    """

    def __init__(
        self,
        message: str,
        says: str,
        look: str,
        *patterns: str,
        line: LineTest | None = None,
        assigned: bool = False,
    ) -> None:
        self.message = message
        self.words = says, look
        self.line = shows(*patterns) if patterns else line
        self.assigned = assigned


_PRODUCT = ("_ @ _", "linear()")
UNPACKING = r"values to unpack|cannot unpack non-iterable"
SIZES_DIFFER = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"
    r"|operands could not be broadcast together"
)
_MANY_ANSWERS = (
    r"Boolean value of Tensor with more than one value is ambiguous"
    r"|truth value of an array with more than one element is ambiguous"
)
_KEEPDIM = ("keepdim", "keepdims")
_INNER_SIZES = "The shapes on both sides of the product: is a transpose missing, or one too many?"
_COLUMN = "So the {things} lie in one row. They must lie in a column, each beside its own row."
_BATCH = (
    "This line counts an axis for the batch, as in code for several texts at once. There is no batch axis here: one "
    "text comes in, with two axes."
)
_TWO_AXES = "The axes in this line: the rows are axis -2, the columns are axis -1."

MESSAGES = {
    # Of torch and NumPy.
    "caret_for_power": Known(
        r"unsupported operand type\(s\) for \^|bitwise_xor",
        "In Python `^` is not a power: it compares bits.",
        "The `^` in this line: a power is written with two asterisks.",
        "_ ^ _",
    ),
    "function_of_tensors_on_a_number": Known(
        r"\b(?P<function>\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (?P<kind>int|float|bool)\b",
        "`torch.{function}` takes a tensor; here it got a plain number of type {kind}.",
        "For a plain number use Python's own arithmetic: the module math, or the operator `**` for powers.",
        "_()",
    ),
    "softmax_without_dim": Known(
        # torch 2.4 lists its signatures instead of naming the missing argument.
        r'softmax\(\) (missing 1 required positional arguments?: "?dim|'
        r"received an invalid combination of arguments - got \((Tensor)?\))",
        "The softmax needs an axis: its argument `dim` is missing.",
        "The argument `dim` of the softmax: along which axis do the weights of one query lie?",
        line=calls_without(("softmax",), "dim"),
    ),
    "no_such_axis.batch": Known(
        r"Dimension out of range \(expected to be in range of \[-2, 1\], but got (?P<axis>-?\d+)",
        f"There is no axis {{axis}} here. {_BATCH}",
        _TWO_AXES,
        line=counts_a_batch,
    ),
    "batch_axis": Known(
        r"tuple index out of range|must be a 3D tensor|\baxis -?\d+ is out of bounds for array of dimension 2"
        r"|not enough values to unpack \(expected [34], got 2\)|axes don't match array"
        r"|number of subscripts in the equation \([34]\) does not match the number of dimensions \(2\)"
        r"|subscripts string contains too many subscripts for operand"
        r"|does not match the length of the desired ordering of dimensions i.e. input.dim\(\) = 2"
        r"|too many indices for (?:tensor of dimension 2|array: array is 2-dimensional)",
        _BATCH,
        _TWO_AXES,
        line=counts_a_batch,
    ),
    "no_such_axis": Known(
        r"(?:Dimension out of range .{1,60}, but got |\baxis )(?P<axis>-?\d+)(?:\)| is out of bounds for array)",
        "There is no axis {axis} here. Axes count from 0; -1 is the last one.",
        "The axis (dim) in this line, and the shape of what it is applied to.",
    ),
    "no_such_axis.of_a_shape": Known(
        r"tuple index out of range",
        "`shape` holds one size for each axis, and here it was asked for an axis that is not there.",
        "The axis in this line: rows are axis 0 or -2, columns are 1 or -1.",
        "_.shape[_]",
    ),
    "transpose_names_the_order": Known(
        r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
        "In NumPy, the arguments of `transpose` are the new order of all axes. Here that is the order which they have, "
        "so nothing is exchanged.",
        "The `transpose` in this line: `.T`, or `swapaxes(-2, -1)`, exchanges rows and columns.",
        line=keeps_the_order,
    ),
    "division_in_dim": Known(
        r"argument 'dim' .*must be (?:int|tuple of ints), not float|'float' object cannot be interpreted as an integer",
        "The division stands behind `dim=`, so it divides the number of the axis, and not the scores.",
        "The brackets of this call: what is divided stands before the comma, the axis alone behind `dim=`.",
        "_(dim=_ / _)",
    ),
    "inner_sizes_differ.matrices": Known(
        r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\d+)x(?P<b>\d+) and (?P<c>\d+)x(?P<d>\d+)\)",
        "In a matrix product the inner sizes must be equal. Here ({a}, {b}) meets ({c}, {d}), and {b} is not {c}.",
        _INNER_SIZES,
        *_PRODUCT,
    ),
    "inner_sizes_differ": Known(
        r"matmul: .*\(size (\d+) is different from (\d+)\)|shapes .* not aligned: (\d+) .* != (\d+)",
        "In a matrix product the inner sizes must be equal, and these are not.",
        _INNER_SIZES,
        *_PRODUCT,
    ),
    "dot_of_matrices": Known(
        r"1D tensors expected, but got (?P<one>\d)D and (?P<other>\d)D",
        "`torch.dot` is for two vectors; these have {one} and {other} axes.",
        "A matrix product takes all rows at once.",
        "dot()",
    ),
    "inner_sizes_differ.vector": Known(
        r"size mismatch, got input \(\d+\), mat|inconsistent tensor size, expected tensor \[\d+\] and src",
        "In a matrix product the inner sizes must be equal, and these are not. One of the two is a vector here.",
        "The shapes on both sides of the product. Should both have rows and columns?",
        *_PRODUCT,
    ),
    "all_axes_turned": Known(
        r"The size of tensor a \(\d+\) must match the size of tensor b \(\d+\) at non-singleton dimension 0",
        "`.T` turns the order of all axes round, that of the batch too.",
        "The `.T` in this line: only the last two axes change places, as with `mT`.",
        "_ @ _.T",
    ),
    "product_by_numbers": Known(
        SIZES_DIFFER,
        "This multiplies number by number, so both sides need the same shape. These two differ.",
        "Is a matrix product meant? That is another operator, `@`.",
        line=all_of(shows("_ * _"), lacks("_ + _")),
    ),
    "product_by_numbers.vecdot": Known(
        SIZES_DIFFER,
        "`vecdot` takes row i of one together with row i of the other. These two do not have equally many rows.",
        "Should each row of one meet all rows of the other? That is a matrix product, `@`.",
        "vecdot()",
    ),
    "inner_sizes_differ.batch": Known(
        r"Expected size for first two dimensions of batch2 tensor to be: \[\d+, (?P<a>\d+)\] but got: "
        r"\[\d+, (?P<b>\d+)\]",
        "In a matrix product the inner sizes must be equal. Here {a} meets {b}.",
        _INNER_SIZES,
        *_PRODUCT,
    ),
    "mask_in_square_brackets": Known(
        r"The shape of the mask \[(?P<mask>[\d, ]+)\] at index \d+ does not match the shape of the indexed tensor "
        r"\[(?P<tensor>[\d, ]+)\]",
        "A mask in square brackets belongs to the first axes. Here it is ({mask}), and ({tensor}) begins with others.",
        "The square brackets: `masked_fill` lays a mask over the last axes.",
        "_[_]",
    ),
    "no_equal_parts": Known(
        r"array split does not result in an equal division",
        "This cuts along an axis whose size is no multiple of the number of parts.",
        "The axis in this line: what does it count, and should that be cut?",
    ),
    "letters_and_axes": Known(
        r"number of subscripts in the equation \((?P<letters>\d+)\) does not match the number of dimensions "
        r"\((?P<axes>\d+)\)",
        "The equation has {letters} letters for a tensor with {axes} axes. Each axis needs a letter.",
        "The equation of einsum: what do the axes of its tensors count?",
        "einsum()",
    ),
    "mask_of_numbers": Known(
        r"masked_fill_? only supports boolean masks, but got mask with dtype (?P<dtype>\w+)",
        "A mask holds True and False, and this one holds numbers ({dtype}).",
        "The mask in this line, or the line that makes it: its dtype.",
    ),
    "tuple_among_tensors": Known(
        r"expected Tensor as element (?P<number>\d+) in argument 0, but got (?P<kind>\w+)",
        "This line joins tensors, but entry {number} of its list is of type {kind}.",
        "What makes the entries of the list: what does it give back?",
    ),
    "letters_do_not_fit": Known(
        r"einsum\(\): subscript (?P<letter>\w) has size (?P<one>\d+) for operand 1 which does not broadcast with "
        r"previously seen size (?P<other>\d+)",
        "In einsum a letter stands for one size. Here `{letter}` is {other} in the first part and {one} in the second.",
        "The letters in this line: those of each part stand for its axes, in order.",
    ),
    "many_numbers_for_one": Known(
        r"setting an array element with a sequence",
        "This line puts many numbers into a place for one.",
        "The right side of `=` in this line: is it one single number?",
    ),
    "sizes_in_view": Known(
        r"shape '\[.*?\]' is invalid for input of size|cannot reshape array of size",
        "`view` and `reshape` only put the same numbers in other rows: the new sizes must multiply to as many numbers "
        "as there are.",
        "The sizes in this line. Does this step ask for another shape at all?",
        "view()",
        "reshape()",
    ),
    "sum_lost_its_axis": Known(
        SIZES_DIFFER,
        f"A sum drops the axis that it runs over. {_COLUMN.format(things='sums')}",
        "The sum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
        line=all_of(shows("_ / _"), calls_without(("sum",), *_KEEPDIM)),
        assigned=True,
    ),
    "maximum_lost_its_axis": Known(
        SIZES_DIFFER,
        f"A maximum drops the axis that it runs over. {_COLUMN.format(things='maxima')}",
        "The maximum: `keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
        line=all_of(shows("_ - _"), calls_without(("max", "amax"), *_KEEPDIM)),
        assigned=True,
    ),
    "copied_into_another_shape": Known(
        SIZES_DIFFER,
        "`copy_` puts each number in its place, and these two do not have the same shape.",
        "The shapes of both. Must one of them be transposed?",
        "copy_()",
    ),
    "shapes_differ": Known(
        SIZES_DIFFER,
        "The signs `+`, `-` and `/` work number by number, and these two shapes do not fit.",
        "The shapes on both sides of the sign. Do these two belong together?",
        line=shows_one("_ + _", "_ - _", "_ / _"),
    ),
    "layer_used_as_a_matrix": Known(
        r"unsupported operand type\(s\) for @: '\w+' and 'Linear'|'Linear' object has no attribute '(?:T|shape|t)'",
        "A layer (nn.Linear) is not a matrix. It holds one, and is called with its input like a function.",
        "The line where the layer is multiplied: call the layer instead.",
        "_ @ _",
        "_._",
    ),
    "names_of_parameters_differ": Known(
        r"(?:Missing|Unexpected) key\(s\) in state_dict",
        "The two modules keep their parameters under different names (the message lists them), so none was copied.",
        "`load_state_dict` copies between modules that use the same names. Each matrix can be copied by itself.",
        "load_state_dict()",
    ),
    "copied_into_another_shape.state_dict": Known(
        r"size mismatch for \w+: copying a param",
        "`load_state_dict` puts each number in its place, and these shapes differ.",
        "The shapes in the message. Must one of the matrices be transposed?",
        "load_state_dict()",
    ),
    "overwritten_while_recorded": Known(
        r"a (?:view of a )?leaf Variable that requires grad is being used in an in-place operation",
        "PyTorch records what happens to trainable parameters. While it records, they cannot be overwritten.",
        "Copying numbers is not a part of the computation: do it under torch.no_grad().",
    ),
    "numpy_of_a_trained_tensor": Known(
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy cannot follow gradients, so a tensor with gradients does not become an array.",
        "Stay with torch in this line: nothing here needs NumPy.",
    ),
    "number_function_on_a_tensor": Known(
        r"only one element tensors can be converted|a Tensor with \d+ elements cannot be converted to Scalar"
        r"|only (?:length-1|0-dimensional) arrays can be converted",
        "The functions of the module math take one number, and this holds many.",
        "What the function gets here. If it should be one number, such as a size, pass that; if it should be all, use "
        "the function of the same name in torch or NumPy.",
        "math._()",
    ),
    "dtypes_differ": Known(
        r"expected m1 and m2 to have the same dtype, but got: (?P<one>.+) != (?P<other>.+)",
        "A matrix product needs one dtype on both sides; here they are {one} and {other}.",
        "Where was one of them turned into another dtype?",
        *_PRODUCT,
    ),
    "no_array_in_a_product": Known(
        r"does not have enough dimensions \(has 0",
        "A matrix product needs a matrix or a vector on each side. Here one side is a number, None or a function.",
        "What stands on both sides of the product, and the line that made it.",
        *_PRODUCT,
    ),
    "device_not_there": Known(
        r"not compiled with (?:CUDA|XPU)|No CUDA GPUs|Found no NVIDIA|re-initialize CUDA"
        r"|arguments from the '(?:CUDA|MPS|XPU)' backend"
        r"|not linked with support for (?:cuda|mps|xpu)|MPS backend is not|Cannot access accelerator device",
        "This line asks for a graphics processor, and none is there. The steps are checked on the CPU.",
        "`.cuda()`, `.to(...)` or `device=` in this line, and where its device is chosen: leave it out.",
    ),
    "indices_not_whole": Known(
        r"Expected tensor for argument #1 'indices' to have one of the following scalar types"
        r"|tensors used as indices must be long",
        "Only whole numbers can point at a row, and these indices are of another dtype.",
        "Where the indices are made: their dtype.",
    ),
    "module_not_there": Known(
        r"No module named '(?P<name>[\w.]+)'",
        "There is no module `{name}` here.",
        "This import: the steps need only torch and NumPy, and what you wrote yourself must stand in the one file that "
        "is handed in.",
    ),
    # Of Python: what is called, indexed, taken apart or used before it is there.
    "super_without_brackets": Known(
        r"descriptor '__init__' .*'super' object",
        "`super` without brackets is not the parent class.",
        "The line with `super`: write `super().__init__()`.",
    ),
    "no_super_init": Known(
        r"cannot assign \w+ before Module.__init__\(\) call",
        "A module can hold parameters and layers only after `super().__init__()` has run, and it has not run yet.",
        "The first line of `__init__`: is `super().__init__()` there, with both pairs of brackets?",
        line=stores_on_self,
    ),
    "tensor_for_a_parameter": Known(
        r"cannot assign '.*' (?:as|object to) (?:parameter|child module)",
        "Under this name the module holds a Parameter or a layer, and only another one may take its place.",
        "Put an nn.Parameter there, or copy the numbers into the one that is there.",
        line=stores_on_self,
    ),
    "module_without_forward.list": Known(
        r"Module \[ModuleList\] is missing",
        "An nn.ModuleList is a list of modules. The list itself cannot be called.",
        "The call of the list in this line: each module in it is called by itself.",
    ),
    "module_without_forward": Known(
        r'is missing the required "forward" function',
        "A module without `forward` was called: it holds parameters and computes nothing.",
        "The module that is called in this line. Perhaps only its parameters are needed.",
    ),
    "transpose_with_brackets": Known(
        r"'(?:Tensor|Parameter|numpy.ndarray)' object is not callable",
        "`.T` is not a function, so no brackets follow it.",
        "The brackets after `.T`.",
        "T()",
    ),
    "shape_with_round_brackets": Known(
        r"'(?:torch.Size|tuple)' object is not callable",
        "`shape` is not a function: one of its sizes is taken with square brackets.",
        "The brackets after `shape`: `shape[-1]`, or the function `size(-1)`.",
        "shape()",
    ),
    "size_with_square_brackets": Known(
        r"'(?:builtin_function_or_method|method)' object is not subscriptable",
        "`size` is a function: it takes round brackets.",
        "The brackets after `size`: `size(-1)`, or `shape[-1]` with square ones.",
        "_.size[_]",
    ),
    "shape_as_a_number": Known(
        r"unsupported operand type\(s\) for .*'torch.Size'|can't multiply sequence by non-int"
        r"|must be real number, not (?:torch.Size|tuple)",
        "`shape` holds the sizes of all axes; one number is needed here.",
        "Take one size out of `shape`, with square brackets.",
        "_.shape",
        assigned=True,
    ),
    "values_left_out.both": Known(
        r"torch.return_types",
        "With a dim, torch.max and torch.min give two things back: the numbers (`.values`) and their places.",
        "The maximum in this line: `.values` after it takes the numbers alone, and torch.amax gives only these.",
    ),
    "tensor_called": Known(
        r"'(?P<kind>Tensor|Parameter|numpy.ndarray|torch.Size|tuple|float|int)' object is not callable",
        "Something of type {kind} was called like a function.",
        "The round brackets in this line: is an operator missing before them, or is a pair too many?",
    ),
    "layer_with_square_brackets": Known(
        r"'(?P<kind>Embedding|Linear|Softmax|SelfAttention\w*|function|type)' object is not subscriptable",
        "Square brackets take an entry out of a tensor or a list; this is something of type {kind}.",
        "The brackets in this line: a function or a layer is called with round ones.",
        "_[_]",
    ),
    "yes_or_no_of_many_numbers": Known(
        _MANY_ANSWERS,
        "`and`, `or`, `not`, `if`, `while` and `assert` need one yes or no, and a tensor or an array with many "
        "numbers has many.",
        "One of these words in this line: is it too many, or is one single number meant?",
        line=asks_yes_or_no,
    ),
    "yes_or_no_of_many_numbers.builtin": Known(
        _MANY_ANSWERS,
        "Python's own `max`, `min` and `sorted` compare element with element, and each element is a whole row here.",
        "The function in this line: torch and NumPy have one of the same name for all numbers at once.",
        "max()",
        "min()",
        "sorted()",
    ),
    "format_of_many_numbers": Known(
        r"unsupported format string passed to (?:\w+\.)?(?P<kind>\w+)\.__format__",
        "A format such as `:.2f` writes one single number, and this is something of type {kind}.",
        "The text with the format: leave out what follows the `:`, or print one entry.",
        line=formats_text,
    ),
    "asks_for_input": Known(
        r"EOF when reading a line",
        "`input()` waits for somebody to type, and nobody does while a step is checked.",
        "The line with `input()`: a step gets what it needs as arguments.",
        "input()",
    ),
    "no_list_of_numbers": Known(
        r"Could not infer dtype of "
        r"(?P<kind>generator|map|filter|zip|set|range|dict_\w+|builtin_function_or_method|method)",
        "A tensor is made from a list of numbers; this is something of type {kind}.",
        "The brackets in this line: square brackets, `[...]`, make a list.",
        "tensor()",
        "as_tensor()",
        "LongTensor()",
    ),
    "none_used": Known(
        r"\bNoneType\b",
        "Something in this line is None. Perhaps it comes from a function that prints its result and does not return "
        "it.",
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    "dict_changed_in_its_loop": Known(
        r"dictionary (?:changed size|keys changed) during iteration",
        "A loop over a dictionary must not add keys to it, nor take keys away.",
        "The loop in this line: fill a new dictionary, and return that.",
    ),
    "dict_without_items": Known(
        r"(?:too many|not enough) values to unpack|cannot unpack non-iterable (?:int|str) object",
        "A loop over a dictionary gives its keys only, and each key was taken apart here.",
        "The loop in this line: `.items()` gives pairs of key and value.",
        line=unpacks_pairs,
    ),
    "parts_do_not_fit.one": Known(
        r"cannot unpack non-iterable (?P<kind>(?!int|str|NoneType)\w+) object",
        "Several parts are needed here, and there is only one object, of type {kind}.",
        "All parts, in their order: separated by commas.",
    ),
    "parts_do_not_fit": Known(
        r"(?P<count>too many|not enough) values to unpack",
        "There are {count} values for the names on the left.",
        "How many parts does the right-hand side have?",
    ),
    "index_too_large": Known(
        r"index (?P<index>\d+) is out of bounds for (?:dimension|axis) \d+ with size (?P<size>\d+)",
        "There is no entry {index} here: there are {size}, counted from 0.",
        "Where the index comes from, and where the size comes from: do both belong to the same axis?",
    ),
    "index_too_large.list": Known(
        r"list index out of range",
        "The list has no entry with this number. Its numbers begin at 0, so the last one is one less than its length.",
        "How far the number counts that stands in the square brackets.",
        "_[_]",
    ),
    "too_many_indices": Known(
        r"too many indices for (?:tensor of dimension|array: array is) (?P<axes>\d+)",
        "The square brackets name more axes than there are: only {axes}.",
        "The square brackets in this line, and the shape of what stands before them.",
    ),
    "not_in_order_for_view": Known(
        r"view size is not compatible with input tensor's size and stride",
        "After an exchange of axes the numbers no longer stand in memory in their order, and `view` needs that.",
        "The `view` in this line: `contiguous` before it puts the numbers in order, and `reshape` does so by itself.",
    ),
    "size_is_no_whole_number": Known(
        r"type must be tuple of (?:Sym)?[Ii]nts, ?but got float",
        "One of the sizes here is a float, and a size has to be a whole number.",
        "The division that makes this size: `/` always gives a float, `//` a whole number.",
    ),
    "calls_itself": Known(
        r"maximum recursion depth exceeded",
        "A function calls itself, without an end.",
        "The name that is called in this line: is it the function's own name?",
    ),
    "arguments_do_not_fit": Known(
        r"\b(?P<function>\w+)\(\) "
        r"(?:missing \d+ required positional argument|takes (?:from )?\d+ |got an unexpected keyword)",
        "`{function}` was called with other arguments than it has.",
        "The call of `{function}` in this line: the number of its arguments, and their names.",
    ),
    "used_before_it_is_made": Known(
        r"local variable '(?P<name>\w+)'",
        "`{name}` is used before it gets a value. A function that assigns to a name never uses the file's variable of "
        "that name.",
        "Is `{name}` made further down, or only in a branch that was not taken? Is a name missing among the arguments?",
    ),
}
