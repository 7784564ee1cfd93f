"""Has lines that look like the head of a cell with tags that never end.

catalogue: 36
stopped_by: every pattern that reads a submission takes linear time
"""

# %% tags=[@OPENED_AGAIN@
# %% tags=["show", @OPENED_AGAIN@
# %% [markdown] tags=['@OPENED_AGAIN@
