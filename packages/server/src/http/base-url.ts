import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** The public address, without a slash at its end: the setting, or else what the request was sent to. */
export const baseUrlOf = (request: FastifyRequest, config: Config): string =>
  config.baseUrl?.replace(/\/+$/, "") ?? `${request.protocol}://${request.host}`;
