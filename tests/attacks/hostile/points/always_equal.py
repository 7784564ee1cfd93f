"""Returns an object that says that it equals everything, is true, and is any number that is asked for.

catalogue: 15
stopped_by: only plain data of exact types is sent; values are compared where no student's code is
"""


class Equal:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

    def __float__(self):
        return 1.0

    def __array__(self, *arguments, **options):
        return __import__("numpy").zeros(3)

    def __len__(self):
        return 3

    def __iter__(self):
        return iter([self, self, self])

    def __getitem__(self, key):
        return self

    def __hash__(self):
        return 0

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0
    __bool__ = __eq__ = lambda self, *other: True


def anything(*arguments, **options):
    return Equal()


init_weights = project = attention_score = attention_scores = scale_scores = attention_weights = anything
context_vectors = dot_product_variance = SelfAttention_v1 = SelfAttention_v2 = transfer_weights = anything
