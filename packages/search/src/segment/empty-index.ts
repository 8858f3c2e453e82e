import { TOKENIZER_VERSION } from "../text/tokenizer.ts";
import type { Counters } from "./store-port.ts";

export const emptyIndex: Counters = {
  epoch: 1,
  epochBase: 1,
  tokenizerVersion: TOKENIZER_VERSION,
  blocks: 0,
  totalLength: 0,
  nextNumber: 1,
  nextDocument: 1,
  stamp: 0,
  hasBacklog: false,
};
