# The full grader with all layers of its sandbox, for a course's own runner. The image holds the solutions: keep it private.
#
#   docker build -t attention-kit .
#   docker run --rm -v "$PWD/submissions:/submissions:ro" -v "$PWD/results:/results" attention-kit \
#     grade /submissions --assignment self_attention --out /results
FROM python:3.11-slim
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap libseccomp2 && rm -rf /var/lib/apt/lists/*
WORKDIR /kit
COPY pyproject.toml constraints.txt sandbox.lock README.md LICENSE ./
COPY autograder autograder
COPY solutions solutions
COPY assignments assignments
RUN python -m pip install --no-cache-dir --require-hashes -r sandbox.lock
RUN python -m pip install --no-cache-dir --extra-index-url "$TORCH_INDEX" -c constraints.txt -e ".[instructor]"
ENTRYPOINT ["autograder"]
