"""Both classes return the tokens as they are: the second would keep half of its points for the mistake of the first.

honest: SelfAttention_v1=1 SelfAttention_v2=1
catalogue: 38
uses: layers parameters
stopped_by: a mistake that replaces the whole computation is not carried forward
"""


class SelfAttention_v1(OfParameters):
    def forward(self, x):
        return x


class SelfAttention_v2(OfLayers):
    def forward(self, x):
        return x.clone()
