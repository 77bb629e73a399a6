# Swift 6.3.3, for amd64 and arm64. The present digest of the tag: docker buildx imagetools inspect swift:6.3-bookworm
FROM swift:6.3-bookworm@sha256:7060a792f4cd9eaa0d00826d941cec00ab8d252d33b8b28bc8e105f51f2dba73 AS build
WORKDIR /src
COPY scripts/setup scripts/setup
RUN scripts/setup
COPY . .
RUN make build && strip -o /goals .build/release/goals

FROM debian:bookworm-slim@sha256:7b140f374b289a7c2befc338f42ebe6441b7ea838a042bbd5acbfca6ec875818
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libbrotli1 libnettle8 libpq5 libqrencode4 libsqlite3-0 libstdc++6 tzdata zlib1g \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 goals \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin goals \
 && install --directory --owner 10001 --group 10001 --mode 0700 /data /backups
COPY --from=build /goals /usr/local/bin/goals
USER 10001:10001
# Everything that must be kept is in this folder.
VOLUME /data
ENV GOALS_DATABASE=/data/goals.sqlite \
    GOALS_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["goals", "health"]
ENTRYPOINT ["goals"]
CMD ["serve"]
