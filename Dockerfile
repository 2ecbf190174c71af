# The service in a container: the API by default, the worker and the migrations with another command.
# See docs/guides/deployment.md.

# Debian 13, by the digest of its index for all platforms.
ARG DEBIAN=docker.io/library/debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f

FROM ${DEBIAN} AS build
# The pinned runtime is linked against libatomic1.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libatomic1 nodejs npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/atelier
ENV CI=true PNPM_CONFIG_STORE_DIR=/pnpm-store PNPM_CONFIG_PACKAGE_IMPORT_METHOD=copy
COPY . .
# Everything: the build needs it, and it includes the runtime that the lockfile pins.
RUN npx --yes pnpm@12.21.0 install --frozen-lockfile
RUN npx --yes pnpm@12.21.0 --filter @atelier/web --filter @atelier/api build \
  && cp "$(npx --yes pnpm@12.21.0 exec node --print process.execPath)" /usr/local/bin/atelier-node
# Again, without dependencies of tests and tools. Files get readable for all users, whatever the mode of the checkout.
RUN find . -name node_modules -prune -exec rm -rf {} + \
  && npx --yes pnpm@12.21.0 install --frozen-lockfile --offline --prod --filter '@atelier/api...' \
  && mkdir -p /out/apps/api /out/apps/web \
  && cp --archive node_modules package.json LICENSE /out/ \
  && cp --archive apps/api/dist apps/api/migrations apps/api/node_modules apps/api/package.json /out/apps/api/ \
  && cp --archive apps/web/dist /out/apps/web/ \
  && chmod --recursive a+rX /out /usr/local/bin/atelier-node

FROM ${DEBIAN}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates fonts-dejavu-core libatomic1 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin atelier
COPY --from=build /usr/local/bin/atelier-node /usr/local/bin/node
COPY --from=build /out /srv/atelier
WORKDIR /srv/atelier
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WEB_APP_DIR=/srv/atelier/apps/web/dist SHUTDOWN_DRAIN_MS=6000
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]
