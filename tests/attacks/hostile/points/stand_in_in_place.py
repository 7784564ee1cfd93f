"""Changes the answers of stand-ins in place, and their base and data.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
stopped_by: what it returns has to be right for fresh inputs
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        queries, keys, values = project(x, self.W_query, self.W_key, self.W_value)
        scaled = scale_scores(queries @ keys.T, 1)
        with torch.no_grad():
            scaled.data.zero_()
            queries.data += 1
            keys.set_(values)
        return scaled.softmax(-1) @ values
