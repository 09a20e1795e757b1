# Built in two steps: the first makes a wheel, the second holds only what runs.
ARG BASE=python:3.12-slim

FROM ${BASE} AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY templates templates
COPY static static
RUN python3 -m venv /venv && /venv/bin/pip install --no-cache-dir .

FROM ${BASE}
RUN useradd --system --no-create-home haibun
COPY --from=build /venv /venv
USER haibun
EXPOSE 8000
ENV PYTHONUNBUFFERED=1
HEALTHCHECK --interval=30s --timeout=3s --start-period=10s \
    CMD ["/venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
ENTRYPOINT ["/venv/bin/haibun", "--host", "0.0.0.0"]
