"""What is said of exceptions: for each finding what is wrong, and where to look. The braces hold its facts."""

from __future__ import annotations

_SPELLING = "The spelling of `{name}` in this line."
# Where names come from: in a function, and at the left margin of the file.
ORIGIN = (
    "The spelling of the name. A function gets what it uses as an argument, makes it itself, "
    "or imports it."
)
ORIGIN_IN_A_NOTEBOOK = f"{ORIGIN} Cells that only show results do not run here."
ORIGIN_AT_THE_MARGIN = (
    "The spelling of the name. A line outside of all functions uses what a line above it makes "
    "or imports."
)

# Names that do not exist.
NAMES = {
    "name_hidden": (
        "Line {line} gives the name `{name}` to a variable. Then `{name}` is no longer {kind}, which this line needs.",
        "Give the variable in line {line} another name.",
    ),
    "defined_later": (
        "`{name}` is defined further down.",
        "The order: move this line below `{name}`.",
    ),
    "not_imported": (
        "`{name}` is not imported.",
        "The line `{line}` is missing: add it above your functions.",
    ),
    "made_aside": (
        "`{name}` is made in a cell that only shows something, and grading does not run such cells.",
        "`{name}`: a step gets only its arguments and what your other cells define.",
    ),
    "self_missing": (
        "The first line of `{function}` has no `self`.",
        "Line {line}: the first argument of a method is `self`.",
    ),
    "self_left_out": (
        "There is no variable `{name}` here. The module stores it as `self.{meant}`.",
        "`{name}` in this line: write `self.{meant}`.",
    ),
    "self_too_many": (
        "`{name}` is a function of your file (line {line}), not a method of this class.",
        "`self.{name}` in this line: leave out `self.`.",
    ),
    "not_stored_on_self.of_init": (
        "`{name}` is {kind} of `__init__`, and only `__init__` knows it: other methods get what stands on self.",
        "`__init__`: `self.{name} = {name}` keeps it, and `self.{name}` reads it here.",
    ),
    "named_like_its_function": (
        ("In this function `{name}` is a variable, since line {line} gives it a value. So the function `{name}` of "
        "line {defined} cannot be called here."),
        "Line {line}: give the result another name than the function.",
    ),
    "named_like_its_function.read": (
        ("`{name}` is used before it gets a value. Line {line} makes a variable of this name, so the function of "
        "line {defined} is not meant here."),
        "`{name}` on the right: is an argument meant?",
    ),
    "module_left_out.of_numbers": (
        "There is no `{name}` by itself: it belongs to a module. What it gets here is a plain number.",
        "Write `math.{name}`, with `import math` at the top of the file.",
    ),
    "module_left_out": (
        "There is no `{name}` by itself: it belongs to a module.",
        "Write {meant}.",
    ),
    "module_left_out.not_imported": (
        "There is no `{name}` by itself: it belongs to a module.",
        "Write {meant}, and import the module.",
    ),
    "name_misspelt.own": (
        "There is no `{name}`. Did you mean your {kind} `{meant}`?",
        _SPELLING,
    ),
    "name_misspelt": (
        "There is no `{name}`. Did you mean `{meant}`?",
        _SPELLING,
    ),
    "name_misspelt.of_the_file": (
        "There is no `{name}`. Perhaps it is `{meant}`?",
        "{origin}",
    ),
    "name_not_defined.one_of": (
        "There is no variable `{name}` here. The module has `self.{meant}`.",
        "Is one of `self.{meant}` meant, or all of them, one after the other? A loop gives each one a name.",
    ),
    "name_not_defined.unused": (
        "No line of `{function}` makes `{name}`. Its argument `{unused}` is never used: is it meant, or what it makes?",
        "{origin}",
    ),
    "name_not_defined": (
        "There is no `{name}`.",
        "{origin}",
    ),
    "name_misspelt.in_module": (
        "`{module}` has no `{name}`. Did you mean `{module}.{meant}`?",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.other_module": (
        "`{module}` has no `{name}`. It is `{meant}`.",
        "The module before `.{name}`.",
    ),
    "name_not_defined.of_others": (
        "`{module}` has no `{name}`. `{meant}` does not take what this step gets.",
        "`{module}.{name}` in this line: write it with functions that `{module}` has.",
    ),
    "name_not_defined.in_module": (
        "`{module}` has no `{name}`.",
        "The spelling of `{name}`.",
    ),
    "name_misspelt.of_object": (
        "{Kind} has no `{name}`. Did you mean `{meant}`?{got}",
        "The spelling of `{name}`.",
    ),
    "name_not_defined.of_a_tensor": (
        "{Kind} has no `{name}`; a tensor has.{got}",
        "What stands before `.{name}`, and where it was made: is it what you think?",
    ),
    "name_not_defined.of_object": (
        "{Kind} has no `{name}`.{got}",
        "What stands before `.{name}`, and where it was made: is it what you think?",
    ),
    "init_misspelt.super": (
        "`super()` has no `{name}`: the method is called `__init__`, with two underscores on each side.",
        "The name behind `super()`: `{name}`.",
    ),
    "name_not_defined.of_super": (
        "`super()` has no `{name}`. It stands for the class after the name of yours, in brackets.",
        "What stands behind `super()`. In `__init__` it is `super().__init__()`.",
    ),
    "not_stored_on_self.read": (
        "Nothing is stored under `self.{name}`.",
        "`__init__`: only what is stored on self remains, under the name `{name}`.",
    ),
    "attribute_misspelt.given": (
        "The object has no `{name}`. It has {there}.",
        "`{name}` in this line: the object's name for it is `{meant}`.",
    ),
    "name_not_defined.of_given": (
        "The object has no `{name}`. It has {there}.",
        "The name `{name}` in this line.",
    ),
    "class_for_an_object": (
        "`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one.",
        "`{own}.{name}` in this line: a method writes `self.{meant}`.",
    ),
    "class_for_an_object.elsewhere": (
        "`{own}` is the class. `{meant}` belongs to an object of it: `__init__` makes it for each one.",
        ("`{own}.{name}` in this line: is an argument the object? Else first make an object, "
        "`model = {own}({needed})`; then write `model.{meant}`."),
    ),
    "used_before_it_is_made": (
        "This function gives `{name}` a value in line {line}, so `{name}` is its own variable, and it has none yet.",
        "Is `{name}` made further down, or only in a branch that was not taken? Is a name missing among the arguments?",
    ),
    "used_before_it_is_made.not_run": (
        "Only line {line} gives `{name}` a value, and that line did not run before this one.",
        "Line {line}: does it stand under an `if` that did not hold, or in a loop without rounds?",
    ),
    "call_left_out": (
        "What stands before `.{name}` is a function that was not called.{got}",
        "The round brackets before `.{name}`.",
    ),
}  # fmt: skip

# First lines and calls.
CALLS = {
    "keyword_misspelt": (
        "`{function}` has no argument `{keyword}`. It is called `{meant}`.",
        "The name `{keyword}` in this call.",
    ),
    "arguments_do_not_fit": (
        "`{function}` was called with other arguments than it has.{there}{got}",
        "The call of `{function}` in this line: the number of its arguments, their names, and the kind of each.",
    ),
    "arguments_do_not_fit.keyword": (
        "`{function}` has no argument `{keyword}`.{there}",
        "The names of the arguments of `{function}`.",
    ),
    "arguments_do_not_fit.first_line": (
        "The first line of your `{function}` has other arguments than in the release.{differ}",
        "The first line (line {line}) must be as in the release: `({released})`.",
    ),
    "arguments_do_not_fit.order": (
        ("The arguments of your `{function}` stand in another order than in the release: `({given})`. A call gives "
        "them by their place, so each name gets the value of another one."),
        "The first line (line {line}): write `({released})`.",
    ),
    "arguments_do_not_fit.meaning": (
        ("The arguments of your `{function}` mean something else than in the release: `({given})`. A call gives them "
        "by their place."),
        "The first line (line {line}): write `({released})`, and use these arguments below.",
    ),
    "arguments_do_not_fit.name": (
        ("The release calls this argument `{name}`, and the first line of your `{function}` calls it `{other}`. So "
        "`{name}` in the code below is not the argument."),
        "The first line (line {line}): write `({released})`.",
    ),
    "arguments_do_not_fit.default": (
        "`{argument}` has no default in your `{function}`. In the release it has one, so that calls may leave it out.",
        "The first line (line {line}): write `{argument}={default}`.",
    ),
    "arguments_do_not_fit.other_default": (
        "Your `{function}` has the default `{argument}={given}`; the release has `{argument}={default}`.",
        "The first line (line {line}): write `{argument}={default}`.",
    ),
    "arguments_do_not_fit.own": (
        "`{function}` is called with other arguments than its first line has: {given}.",
        "The line that calls `{function}`, and its first line (line {line}).",
    ),
    "arguments_do_not_fit.own_first_line": (
        "The first line of your `{function}` does not take its arguments as in the release: {given}.",
        "The first line (line {line}): compare it with the release.",
    ),
    "letters_of_a_text": (
        "A loop over a text gives its letters, and `{name}` is a text.",
        "The loop in line {line}: how does `{name}` become a list of words?",
    ),
    "numpy_on_tensors": (
        "NumPy called torch's `{function}`, because the argument is a tensor, and the two take other arguments.",
        "The function of NumPy in this line: for a tensor, use torch's own.",
    ),
    "init_missing": (
        "`{name}` has no method `__init__`, so it takes no arguments.",
        "The methods of the class.",
    ),
}  # fmt: skip

_INNER = "In a matrix product the inner sizes must be equal"
_BATCH = "There is no batch axis here: one text comes in, with two axes."

# Operations, each with what it needs.
OPERATIONS = {
    "none_used": (
        "{words}.{why}",
        "The line that makes `{source}`: what does it give back?",
    ),
    "none_used.get": (
        "{words}. `get` gives None for what a dictionary does not have.",
        "The `get`: square brackets raise a KeyError there.",
    ),
    "none_used.somewhere": (
        "Something in this line is None.{got}",
        "Which name in this line is None? Has the function that made it a `return`?",
    ),
    "inner_sizes_differ": (
        f"{_INNER}, and these are not.{{got}}",
        "The shapes on both sides of the product: is a transpose missing, or one too many?",
    ),
    "inner_sizes_differ.of": (
        f"{_INNER}, and {{left}} is not {{right}}.{{got}}",
        "The two shapes: is a transpose missing, one too many, or on the wrong side?",
    ),
    "inner_sizes_differ.exchanged": (
        f"{_INNER}, and {{left}} is not {{right}}. In the other order they would fit.{{got}}",
        "The two sides of the product: row i of the left one becomes row i of the result.",
    ),
    "inner_sizes_differ.batch": (
        "The last two axes fit for a matrix product, and the axes before them do not.{got}",
        "The axes before the last two: what do they count?",
    ),
    "inner_sizes_differ.layer": (
        "`{layer}` takes rows of {taken} numbers, and the rows that it gets here have {given}.{got}",
        "What goes into `{layer}`, and the sizes with which it was made.",
    ),
    "dot_of_matrices": (
        "`dot` of torch is for two vectors, with one axis each.{got}",
        "Does every row meet every row, as in a matrix product, or only the row beside it?",
    ),
    "product_by_numbers": (
        "This multiplies number by number, so both sides need the same shape.{got}",
        "Is a matrix product meant? That is another operator, `@`.",
    ),
    "shapes_differ": (
        "These shapes do not fit.{got}",
        "",
    ),
    "shapes_differ.of": (
        "`{sign}` works number by number, so along each axis the two sizes must be equal, or one of them 1.{got}",
        "",
    ),
    "shapes_differ.lost_axis": (
        ("`{sign}` works number by number. A sum, mean or maximum drops the axis that it runs over, so its numbers lie "
        "in one row; they must lie in a column, each beside its own row.{got}"),
        "`keepdim=True` (in NumPy `keepdims=True`) keeps the axis, with size 1.",
    ),
    "shapes_differ.place": (
        "What is put into a place must have the shape of that place.{got}",
        "Where each of them is made: does its size come from the inputs?",
    ),
    "stored_whole": (
        "All of `{name}` is used here, and its size is not that of this call.{got}",
        "`{name}` in this line: cut out the part that belongs to the inputs of this call.",
    ),
    "dtypes_differ": (
        "One dtype is needed on both sides.{got}",
        "Where was one of them turned into another dtype?",
    ),
    "parts_do_not_fit": (
        "The names on the left are not as many as the parts on the right.{got}",
        "How many parts does the right-hand side have?",
    ),
    "parts_do_not_fit.loop": (
        "Each round of the loop takes one entry apart, and the names are not as many as its parts.{got}",
        "What does the loop go through? Of a dictionary, `.items()` gives pairs of key and value.",
    ),
    "axes_of_a_shape": (
        "`{source}` has {axes} axes, {shape}, and {count} names stand on the left.{got}",
        "The names on the left: one for each axis. What does each axis count?",
    ),
    "axes_of_a_shape.batch": (
        f"`{{source}}` has {{axes}} axes, {{shape}}, and {{count}} names stand on the left.{{got}} {_BATCH}",
        "The names on the left: one for each axis. What does each axis count?",
    ),
    "index_too_large": (
        ("`{written}`: `{source}` has {size} {kind} along this axis, counted from 0, so there is no entry "
        "{index}.{loop}{got}"),
        "`{written}`: does each index count the axis in which it stands?",
    ),
    "index_too_large.list": (
        "There is no entry with this number: the numbers begin at 0, so the last one is one less than the length.{got}",
        "How far the number counts that stands in the square brackets.",
    ),
    "too_few_indices": (
        "`{source}` has {axes} axes, and `{written}` names the first {given}.{got}",
        "The square brackets: each axis needs a place; `:` stands for all of one.",
    ),
    "no_such_axis": (
        "There is no such axis here. Axes count from 0; -1 is the last one.{got}",
        "The axis (dim), and the shape of what it is applied to.",
    ),
    "no_such_axis.of": (
        ("There is no axis {axis} here: there are {count} axes, numbered 0 to {last}, or from the end -1 to "
        "-{count}.{got}"),
        "The axis (dim) that is asked for: what does each axis count?",
    ),
    "no_such_axis.of.batch": (
        f"There is no axis {{axis}} here: there are {{count}} axes, numbered 0 to {{last}}. {_BATCH}{{got}}",
        "The axis (dim) that is asked for: the rows are axis -2, the columns are axis -1.",
    ),
    "number_of_axes": (
        "There are {count} axes here, numbered 0 to {last}, or from the end -1 to -{count}.{got}",
        "The axis (dim) that is asked for: what does each axis count?",
    ),
    "number_of_axes.batch": (
        f"There are {{count}} axes here, numbered 0 to {{last}}. {_BATCH}{{got}}",
        "The axis (dim) that is asked for: the rows are axis -2, the columns are axis -1.",
    ),
    "key_missing": (
        "The dictionary has no such key.{got}",
        "The key that is looked up: where does it come from?",
    ),
    "module_called": (
        "A module was called like a function. A function or class in it was meant.",
        "The name before the round brackets.",
    ),
    "module_called.meant": (
        "`{written}` is a module and cannot be called. The class or function is `{meant}`.",
        "The name before the round brackets: its capitals.",
    ),
    "tensor_called": (
        "Round brackets call a function, and `{source}` is none (it is of type {kind}).{got}",
        "The round brackets: is an operator such as `@` or `*` missing before them, or is a pair too many?",
    ),
    "tensor_called.matrix": (
        "This line calls `{source}` like a function.{got}",
        "The round brackets after `{source}`: a matrix stands beside `@`, and only a layer is called.",
    ),
    "tensor_called.number": (
        "This line calls `{source}` like a function.{got}",
        "Is an operator such as `*` missing before the brackets? Or must the line that makes it make a layer?",
    ),
    "call_left_out.operand": (
        "{words}.{got}",
        "After `{source}` round brackets are missing: `{source}()`.",
    ),
    "function_for_its_result": (
        "{words}.{got}",
        "`{source}` in this line: is an argument or a variable meant, or are the brackets of a call missing?",
    ),
    "layer_used_as_a_matrix": (
        "{words}.{got}",
        "`{source}` in this line: the layer itself computes nothing. What is it called with, and where?",
    ),
    "not_what_was_given": (
        "{words}.{got}",
        "Where `{source}` stands: a step computes with its arguments.",
    ),
    "mask_in_square_brackets": (
        "A mask in square brackets belongs to the first axes.{got}",
        "The square brackets: `masked_fill` lays a mask over the last axes.",
    ),
    "sizes_in_view.product": (
        ("The new sizes must multiply to as many numbers as there are: they multiply to {product}, and there are "
        "{count}.{got}"),
        "Each of the sizes in this line: is it the size that its name says?",
    ),
    "parts_do_not_fit.one": (
        "Several parts are needed here, and there is only one object, of type {kind}.{got}",
        "All parts, in their order: separated by commas.",
    ),
    "tensor_called.turned": (
        "`.T` is not a function, so no brackets follow it.",
        "The brackets after `.T`.",
    ),
    "tensor_called.shape": (
        "`shape` is not a function: one of its sizes is taken with square brackets.",
        "The brackets after `shape`: `shape[-1]`, or the function `size(-1)`.",
    ),
    "assert_fails": (
        "This line is an `assert` of your own, and it does not hold for these inputs.{got}",
        "What the `assert` demands: does it hold for inputs of other sizes, too?",
    ),
    "assert_fails.wanted": ("An `assert` that does not hold can raise nothing else.", ""),
    "raises_itself": (
        "This line is a `raise` of your own, and these inputs are allowed.",
        "The condition above it: what does the step say of the sizes that may come in?",
    ),
    "raises_itself.wanted": ("", ""),
    "operation": (
        "This could not be computed: `{written}`.{got}",
        "Where each of these values comes from: is it what you think?",
    ),
    "operation.of_numbers": (
        "This could not be computed: `{written}`.{got}",
        "For a plain number there is `math.{function}`, or the operator `**` for powers.",
    ),
}  # fmt: skip
