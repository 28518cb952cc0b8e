# An image that masks without a network, as a user without rights, on a read-only root (docs/docker.md).
FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/linkmask
COPY requirements/image.txt requirements/image.txt
RUN /opt/linkmask/bin/pip install --no-cache-dir --require-hashes -r requirements/image.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN /opt/linkmask/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
COPY --from=build /opt/linkmask /opt/linkmask
ENV PATH=/opt/linkmask/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp/cache
RUN useradd --uid 10001 --no-create-home linkmask && mkdir /data && chown linkmask /data
USER 10001
WORKDIR /data
EXPOSE 5002
# It asks the service; a container that runs another command ends before it is asked.
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:5002/healthz', timeout=3)"]
ENTRYPOINT ["linkmask"]
CMD ["--help"]
