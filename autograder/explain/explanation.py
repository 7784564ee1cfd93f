"""One explanation of what went wrong: its name, the words, and whether it is certain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    """An explanation.

    Attributes:
        name: its name in results: one of READINGS, or one of the tables of exceptions and objects.
        says: what is wrong.
        look: where to look.
        sure: there is evidence for this cause.
    """

    name: str
    says: str
    look: str
    sure: bool


# What is recognised from names, messages and the student's source.
READINGS = {
    "argument_not_used": "The answer does not depend on an argument of the step.",
    "argument_of_another_type": "A function got an argument of a type that it does not take.",
    "arguments_do_not_fit": "A call has other arguments than the first line of the function.",
    "attribute_misspelt": "An attribute of the class has a name similar to the one that is asked for.",
    "call_left_out": "The round brackets after a function are missing.",
    "changes_in_place": "A method that changes its object gives back None, and the None was used.",
    "assert_fails": "An `assert` of the student's own does not hold.",
    "class_for_an_object": "An attribute of an object was read from its class.",
    "comma_at_the_end": "A comma at the end of a line makes a tuple.",
    "defined_later": "A line uses a name that is defined further down.",
    "forward_misspelt": "The class has a method with another name in place of `forward`.",
    "forward_nested": "`forward` stands inside another method.",
    "forward_outside": "`forward` stands outside of the class.",
    "generator_returned": "A generator came back in place of a result.",
    "helper_without_return": "A function of the student's own has no `return`.",
    "init_misspelt": "The class has a method with a similar name in place of `__init__`.",
    "init_missing": "The class has no `__init__`.",
    "keyword_misspelt": "A function of a library got a keyword under a wrong name.",
    "made_in_the_class": "An attribute is made in the class itself, outside of `__init__`.",
    "module_called": "A module was called like a function.",
    "module_left_out": "A function of a module was called without the module's name.",
    "name_hidden": "A variable has the name of a builtin or a module that a line needs.",
    "name_misspelt": "A name that does not exist is similar to one that does.",
    "name_not_defined": "A name does not exist.",
    "no_return": "The function has no `return`.",
    "not_imported": "A module is used and not imported.",
    "not_stored_on_self": "An attribute is read that nothing stored on self.",
    "number_with_comma": "A decimal number is written with a comma.",
    "numpy_on_tensors": "A function of NumPy was called with a tensor.",
    "raise_left_over": "The release's `raise NotImplementedError()` still stands beside the student's code.",
    "return_in_a_loop": "A `return` stands inside a loop, so the loop has one round.",
    "self_left_out": "`self.` is missing before an attribute.",
    "self_missing": "A method has no argument `self`.",
    "sizes_as_numbers": "Sizes are written as numbers.",
    "softmax_layer": "`nn.Softmax` was used like a function: it makes a layer.",
    "transpose_without_axes": "torch's `transpose` was called without the two axes.",
    "unwritten_memory": "The answer depends on memory that was never written.",
    "values_left_out": "torch.max gives numbers and places; `.values` is missing.",
    "variable_for_an_argument": "A variable of the file is used where an argument of the step belongs.",
}
