# All images of PlayOn, one target each: `cargo xtask images` builds and tags them.
#
# The programs are compiled by one cargo command, whose layer all targets share. Cache
# mounts keep dependencies and earlier builds; BuildKit (Docker) and buildah (podman) have
# them both. The final images hold one program, run as uid 65532 and have no shell.

ARG RUST=docker.io/library/rust:1.95-bookworm
ARG NODE=docker.io/library/node:20-bookworm-slim
ARG BASE=gcr.io/distroless/cc-debian12:nonroot

FROM ${RUST} AS programs
WORKDIR /src
COPY . .
# `dev` compiles in a fraction of the time, to try the images out.
ARG PROFILE=release
# A folder for each service and a package in it: `svc-*` is both.
RUN --mount=type=cache,target=/usr/local/cargo/registry,sharing=locked \
    --mount=type=cache,target=/src/target,sharing=locked \
    set -eu; \
    cargo build --locked --profile "$PROFILE" --bins $(printf -- '-p %s ' gateway sandbox svc-*); \
    output=target/$(test "$PROFILE" = dev && echo debug || echo "$PROFILE"); \
    mkdir /programs; \
    for program in gateway sandbox forward svc-*; do cp "$output/$program" /programs/; done

FROM ${NODE} AS web
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm,sharing=locked npm ci --no-audit --no-fund
COPY frontend/ ./
# The assets of the builds of the last 24 hours, which open tabs still ask for.
RUN --mount=type=cache,target=/var/cache/playon-assets,sharing=locked \
    ASSET_ARCHIVE=/var/cache/playon-assets npm run build

FROM ${NODE} AS games
WORKDIR /src/games
COPY games/package.json games/package-lock.json ./
RUN --mount=type=cache,target=/root/.npm,sharing=locked npm ci --no-audit --no-fund
COPY games/ ./
COPY frontend/tools/compress.mjs /src/frontend/tools/
RUN npm run build

FROM ${BASE} AS runtime
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="PlayOn" \
      org.opencontainers.image.licenses="LicenseRef-PlayOn" \
      org.opencontainers.image.revision="${REVISION}"
# By number: Kubernetes cannot see that a name is not root.
USER 65532:65532

FROM runtime AS gateway
LABEL org.opencontainers.image.title="gateway"
COPY --from=web /src/frontend/dist /srv/web
COPY --from=games /src/games/dist /srv/games
COPY --from=programs /programs/gateway /gateway
ENV WEB_ROOT=/srv/web GAMES_ROOT=/srv/games
# The allocator returns blocks above 256 KiB, which are pictures, and empty pages at once
# (decision 43).
ENV MIMALLOC_ARENA_MAX_OBJECT_SIZE=256 MIMALLOC_PURGE_DELAY=0
ENTRYPOINT ["/gateway"]

# `/forward` is what other pods reach the sandbox through (decision 22).
FROM runtime AS sandbox
LABEL org.opencontainers.image.title="sandbox"
COPY --from=programs /programs/sandbox /programs/forward /
ENTRYPOINT ["/sandbox"]

FROM runtime AS svc-auth
LABEL org.opencontainers.image.title="svc-auth"
COPY --from=programs /programs/svc-auth /svc-auth
ENTRYPOINT ["/svc-auth"]

FROM runtime AS svc-wallet
LABEL org.opencontainers.image.title="svc-wallet"
COPY --from=programs /programs/svc-wallet /svc-wallet
ENTRYPOINT ["/svc-wallet"]

FROM runtime AS svc-games
LABEL org.opencontainers.image.title="svc-games"
COPY --from=programs /programs/svc-games /svc-games
ENTRYPOINT ["/svc-games"]

FROM runtime AS svc-tournament
LABEL org.opencontainers.image.title="svc-tournament"
COPY --from=programs /programs/svc-tournament /svc-tournament
ENTRYPOINT ["/svc-tournament"]

FROM runtime AS svc-chat
LABEL org.opencontainers.image.title="svc-chat"
COPY --from=programs /programs/svc-chat /svc-chat
ENTRYPOINT ["/svc-chat"]
