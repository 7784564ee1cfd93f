"""Pulls the same gradient through a stand-in hundreds of times.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: 1,000 calls a question, gradients included
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        x = x.detach().requires_grad_()
        found = attention_weights(x)
        for _ in range(300):
            found.sum().backward(retain_graph=True)
        return x.grad @ self.W_query
