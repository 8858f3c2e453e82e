export type { Attrs, Body, Mark, Node } from "@svc/document/types";
export { keepUnknown } from "./keep-unknown.ts";
export { documentKit } from "./kit.ts";
