import { Carrier } from "./carry.ts";
import { Look } from "./look.ts";

/** Everything that it takes to make both sides equal. */
export class Pass extends Look {
  readonly carrier = new Carrier(this);
}
