import * as Y from "yjs";

type DeleteSet = Y.Transaction["deleteSet"];

/** How many deletions a transaction has so far, by client. */
export const deletionsIn = ({ deleteSet }: Y.Transaction): ReadonlyMap<number, number> =>
  new Map([...deleteSet.clients].map(([client, { length }]) => [client, length]));

/** The deletions that a transaction has made since, in order. */
export function deletionsSince({ deleteSet }: Y.Transaction, before: ReadonlyMap<number, number>): DeleteSet {
  const since = Y.createDeleteSet();
  for (const [client, deletions] of deleteSet.clients) {
    const own = deletions.slice(before.get(client) ?? 0);
    if (own.length > 0) since.clients.set(client, own);
  }
  return Y.mergeDeleteSets([since]);
}

/**
 * Encodes what this client has inserted since a clock, with some deletions. The update that Yjs makes of a transaction
 * also has the deletions of the applied change, and of all that fell into blocks which that change removed.
 */
export function encodeOwn(doc: Y.Doc, clock: number, deletions: DeleteSet): Uint8Array | undefined {
  const structs = (doc.store.clients.get(doc.clientID) ?? []).filter(({ id, length }) => id.clock + length > clock);
  if (structs.length === 0 && deletions.clients.size === 0) return undefined;
  const encoder = new Y.UpdateEncoderV1();
  // Clients, counts and clocks are all written as numbers of variable length.
  const write = (...numbers: readonly number[]) => {
    for (const number of numbers) encoder.writeClient(number);
  };
  write(structs.length > 0 ? 1 : 0);
  if (structs.length > 0) write(structs.length, doc.clientID, clock);
  for (const struct of structs) struct.write(encoder, Math.max(0, clock - struct.id.clock));
  write(deletions.clients.size);
  for (const [client, ranges] of deletions.clients) {
    write(client, ranges.length);
    for (const { clock: from, len } of ranges) write(from, len);
  }
  return encoder.toUint8Array();
}
