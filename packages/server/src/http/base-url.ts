import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** The public address, without a trailing slash: the setting, or else the host of the request. */
export const baseUrlOf = (request: FastifyRequest, config: Config): string =>
  config.baseUrl?.replace(/\/+$/, "") ?? `${request.protocol}://${request.host}`;

export const NO_STORE = { "cache-control": "no-store" } as const;

/** The caching headers of a text that contains our address: no caching if the address comes from the request. */
export const keptWithAddress = ({ baseUrl }: Pick<Config, "baseUrl">) =>
  baseUrl === undefined ? NO_STORE : { "cache-control": "public, max-age=60" };
