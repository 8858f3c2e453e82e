import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** The public address, without a slash at its end: the setting, or else what the request was sent to. */
export const baseUrlOf = (request: FastifyRequest, config: Config): string =>
  config.baseUrl?.replace(/\/+$/, "") ?? `${request.protocol}://${request.host}`;

export const NO_STORE = { "cache-control": "no-store" } as const;

/** How long a text with our address in it may be kept: not at all where the address is what the caller said it was. */
export const keptWithAddress = ({ baseUrl }: Pick<Config, "baseUrl">) =>
  baseUrl === undefined ? NO_STORE : { "cache-control": "public, max-age=60" };
