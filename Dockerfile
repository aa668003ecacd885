FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE requirements.txt ./
COPY companion companion
COPY templates templates
COPY static static
COPY migrations migrations
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .
RUN pip wheel --no-cache-dir --require-hashes --wheel-dir /wheels -r requirements.txt

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels card-table-companion[postgresql]
RUN install -d -o 65534 -g 65534 -m 700 /data
USER 65534:65534
ENV INSTANCE_PATH=/data PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 5000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:5000/healthz', timeout=4)"]
CMD ["card-table", "serve"]
