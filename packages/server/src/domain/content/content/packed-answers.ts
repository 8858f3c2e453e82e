import { Readable } from "node:stream";
import { Cache } from "../../../cache/cache.ts";
import { type Answer, envelopeHead, envelopeStart } from "../../../http/answer.ts";
import { variesByEncoding, varyWith } from "../../../http/wire/compress.ts";
import { type Encoding, pack } from "../../../http/wire/packed.ts";

/** Compressed responses. The content of a response depends only on its key. */
const PACKED = new Cache<Answer>("packed", { share: 1 / 4 });

/** Everything besides the form that the text of a response depends on. */
interface Source {
  readonly version: string;
  readonly style: string | undefined;
}

/**
 * A response with one form of a body's version, compressed if the request accepts it and the response is large enough.
 * The compressed response is cached, so a repeated request needs no rendering either. `make` may find a later version.
 */
export async function packedAnswer(
  asked: Source,
  form: string,
  encoding: Encoding | undefined,
  make: () => Promise<Source & { readonly answer: Answer }>,
): Promise<Answer> {
  if (encoding === undefined) return (await make()).answer;
  const keyOf = ({ version, style }: Source) => `${version} ${style ?? ""} ${form} ${encoding}`;
  const cached = PACKED.get(keyOf(asked));
  if (cached) return cached;
  const { answer, ...made } = await make();
  const text = textOf(answer);
  const contentType = answer.raw?.contentType;
  if (text === undefined || !variesByEncoding(text, contentType ?? "application/json")) return answer;
  const packed = await pack(text, encoding);
  const headers = { ...answer.headers, vary: varyWith(answer.headers?.vary) };
  const compressed: Answer = { headers, packed: { text: packed, ...(contentType && { contentType }) } };
  PACKED.put(keyOf(made), compressed, packed.bytes.length + JSON.stringify(headers).length);
  return compressed;
}

function textOf({ raw, dataJson, dataBytes }: Answer): string | Buffer | undefined {
  if (dataBytes) return Buffer.concat(envelopeStart(dataBytes));
  if (dataJson !== undefined) return envelopeHead(dataJson);
  return raw?.body instanceof Readable ? undefined : raw?.body;
}
