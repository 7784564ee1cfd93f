"""Nests a thousand stand-ins and pulls one gradient through all.

honest: SelfAttention_v1=1
catalogue: 38
uses: parameters
costly: yes
stopped_by: 1,000 calls a question, gradients included
"""

class SelfAttention_v1(OfParameters):
    def forward(self, x):
        found = x.clone().requires_grad_()
        for _ in range(200):
            found = scale_scores(found, 1)
        found.sum().backward()
        return found
