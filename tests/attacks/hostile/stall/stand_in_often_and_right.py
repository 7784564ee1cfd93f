"""Composes right steps, and has a thousand gradients computed in each question of both classes.

honest: SelfAttention_v1=4 SelfAttention_v2=4
catalogue: 38
uses: frames often
costly: yes
stopped_by: 5,000 calls in all questions of a submission
"""
