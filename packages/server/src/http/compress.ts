import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Below this a packet or two carry it anyway. */
const MIN_BYTES = 2048;
const COMPRESSIBLE = /^(application\/(json|javascript|yaml)|text\/|image\/svg)/;

const encoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }) as Promise<Buffer>,
  gzip: (bytes) => promisify(gzip)(bytes, { level: 4 }) as Promise<Buffer>,
};

const wanted = (accepted: string, name: string): boolean =>
  accepted.split(",").some((part) => {
    const [encoding, quality] = part.split(";").map((text) => text.trim());
    return encoding === name && !(quality && /^q=0(\.0*)?$/.test(quality));
  });

/** Compresses text that is ready in memory, off the main thread; streams go out as they are. */
export async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const accepted = request.headers["accept-encoding"];
  if (accepted === undefined || !(typeof payload === "string" || Buffer.isBuffer(payload))) return payload;
  if (payload.length < MIN_BYTES || reply.hasHeader("content-encoding")) return payload;
  if (!COMPRESSIBLE.test(String(reply.getHeader("content-type")))) return payload;
  reply.header("vary", "accept-encoding");
  const encoding = Object.keys(encoders).find((name) => wanted(accepted, name));
  if (!encoding) return payload;
  const packed = await encoders[encoding]!(Buffer.from(payload as string));
  reply.header("content-encoding", encoding).removeHeader("content-length");
  return packed;
}
