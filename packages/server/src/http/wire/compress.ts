import type { FastifyReply, FastifyRequest } from "fastify";
import { ENCODINGS, type Encoding, finish, pack } from "./packed.ts";

/** A smaller body fits in a packet or two anyway. */
const MIN_BYTES = 2048;
const COMPRESSIBLE = /^(application\/(json|javascript|yaml)|text\/|image\/svg)/;

const wanted = (accepted: string, name: string): boolean =>
  accepted.split(",").some((part) => {
    const [encoding, quality] = part.split(";").map((text) => text.trim());
    return encoding === name && !(quality && /^q=0(\.0*)?$/.test(quality));
  });

const isText = (payload: unknown): payload is string | Buffer =>
  typeof payload === "string" || Buffer.isBuffer(payload);

export const byteLength = (payload: string | Buffer | readonly Buffer[]): number =>
  isText(payload) ? Buffer.byteLength(payload) : payload.reduce((sum, piece) => sum + piece.length, 0);

/** Whether an answer's encoding depends on the request's Accept-Encoding. */
export const variesByEncoding = (
  payload: string | Buffer | readonly Buffer[],
  contentType: string | undefined,
): boolean =>
  contentType !== undefined &&
  (isText(payload) ? payload.length : byteLength(payload)) >= MIN_BYTES &&
  COMPRESSIBLE.test(contentType);

/** The best supported encoding that a request accepts. */
export const encodingFor = (accepted: string | undefined): Encoding | undefined =>
  accepted === undefined ? undefined : ENCODINGS.find((name) => wanted(accepted, name));

/** Adds Accept-Encoding to the answer's Vary header. */
export const varyWith = (vary: unknown): string =>
  vary === undefined ? "accept-encoding" : `${vary}, accept-encoding`;

/** Compresses text that is ready in memory, off the main thread; streams are sent as they are. */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const contentType = reply.getHeader("content-type");
  if (!isText(payload) || !variesByEncoding(payload, String(contentType)) || reply.hasHeader("content-encoding"))
    return void done(null, payload);
  reply.header("vary", varyWith(reply.getHeader("vary")));
  const encoding = encodingFor(request.headers["accept-encoding"]);
  if (!encoding) return void done(null, payload);
  pack(payload, encoding).then((packed) => {
    reply.header("content-encoding", encoding).removeHeader("content-length");
    done(null, finish(packed, ""));
  }, done);
}
