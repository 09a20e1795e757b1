# Built in two steps: the first installs the packages that were tried, the second holds only what runs.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
COPY app/locked/run.txt /run.txt
RUN python3 -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r /run.txt

FROM ${BASE}
RUN useradd --system --no-create-home haibun
COPY --from=build /venv /venv
WORKDIR /haibun
COPY app app
COPY templates templates
COPY static static
USER haibun
EXPOSE 8000
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
    CMD ["/venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["/venv/bin/python", "-m", "app", "--host", "0.0.0.0"]
