/** A request body that is made while it is sent. */
export class RequestStream {
  readonly contentType: string;
  /** Whether it can be opened again for another attempt. */
  readonly repeatable: boolean;
  readonly open: () => ReadableStream<Uint8Array<ArrayBuffer>>;

  constructor(contentType: string, repeatable: boolean, open: () => ReadableStream<Uint8Array<ArrayBuffer>>) {
    this.contentType = contentType;
    this.repeatable = repeatable;
    this.open = open;
  }
}
