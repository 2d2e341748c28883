# syntax=docker/dockerfile:1

# The wheel, built by the tools that requirements.lock names. Nothing of this stage is kept but the wheel.
FROM python:3.12-slim-bookworm AS wheel
WORKDIR /src
COPY requirements.lock ./
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m pip install --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY connectors connectors
COPY engine engine
COPY storage storage
COPY config config
RUN python -m build --wheel --no-isolation --outdir /dist

# What Tact needs to run, and the wheel: an environment that is copied as it stands.
FROM python:3.12-slim-bookworm AS environment
COPY docs/deploy/runtime.lock /tmp/runtime.lock
RUN --mount=type=cache,target=/root/.cache/pip \
    python -m venv /opt/tact && /opt/tact/bin/python -m pip install --require-hashes -r /tmp/runtime.lock
COPY --from=wheel /dist /dist
RUN /opt/tact/bin/python -m pip install --no-cache-dir --no-deps --no-index /dist/*.whl

FROM python:3.12-slim-bookworm
# Numbers, so that an orchestrator can see for itself that this is not root. The folder belongs to tact before
# it is declared a volume: a new volume takes over its owner and mode.
RUN groupadd --system --gid 10001 tact \
    && useradd --system --uid 10001 --gid tact --no-create-home --home-dir /data --shell /usr/sbin/nologin tact \
    && install --directory --owner tact --group tact --mode 0700 /data
COPY --from=environment /opt/tact /opt/tact
ENV PATH=/opt/tact/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TACT_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
# Opens the memory and counts what is in it. Its output would be kept by the engine, so it goes nowhere.
HEALTHCHECK --interval=2m --timeout=20s --start-period=30s --retries=3 CMD ["sh", "-c", "tact status > /dev/null"]
ENTRYPOINT ["tact"]
CMD ["--help"]
