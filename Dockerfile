# svc as a container: `docker build -t svc .`, then `docker run -p 3000:3000 -v svc-data:/data svc`.
# BUILD_BASE needs Node 24 and npm. BASE needs neither: the Node that runs the server is copied from BUILD_BASE.
ARG BUILD_BASE=docker.io/library/node:24-bookworm-slim
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_BASE} AS build
WORKDIR /build
# The libraries first: they are kept in the build cache until the lock file changes.
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --include-workspace-root=false --workspaces --include=dev
COPY scripts scripts
COPY LICENSE *.md ./
COPY docs docs
# The server as JavaScript with its browser scripts, then only the libraries that it loads.
RUN node scripts/pack/pack.ts --folders server \
 && cd dist/packages/server \
 && npm ci --omit=dev --ignore-scripts \
 && rm -rf /root/.npm

FROM ${BASE}
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="svc" \
      org.opencontainers.image.description="A self-hosted knowledge base for people, programs and agents" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /build/dist/packages/server /opt/svc
RUN ln -s /opt/svc/svc.js /usr/local/bin/svc \
 && chmod 755 /opt/svc/svc.js \
 && mkdir /data && chown 10001:10001 /data && chmod 700 /data
# Everything that the server writes is in /data; the root file system may be read-only.
ENV NODE_ENV=production \
    HOME=/tmp \
    SVC_HOST=0.0.0.0 \
    SVC_PORT=3000 \
    SVC_DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/opt/svc/healthcheck.js"]
ENTRYPOINT ["svc"]
CMD ["serve"]
