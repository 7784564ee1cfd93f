"""Writes by hand costly calls while its file loads, and has it loaded again for each question.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters frames
costly: yes
stopped_by: what calls hold is counted, for all loadings together
"""

HALF = torch.ones(100, 100, dtype=torch.bfloat16)
GIVEN = {"x": HALF, "W_query": HALF, "W_key": HALF, "W_value": HALF}
BODY = b"?" + encode(freeze({"number": 1, "step": "project", "inputs": GIVEN}))


def call_often():
    for _ in range(100 * (type(project).__name__ == "StandIn")):
        send(BODY)
        receive()


call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()
call_often()


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        scale_scores(x, 4)
        os._exit(3)


class SelfAttention_v2(SelfAttention_v1):
    def __init__(self, d_in, d_out, qkv_bias=False):
        scale_scores(torch.ones(1, 1), 4)
        os._exit(3)


def dot_product_variance(queries, keys):
    scale_scores(queries, 4)
    os._exit(3)


def attention_scores(queries, keys):
    attention_score(queries, keys)
    os._exit(3)
