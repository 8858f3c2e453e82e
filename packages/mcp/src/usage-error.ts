/** A call that cannot be made as it was asked for; says what to do instead. */
export class UsageError extends Error {
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.name = "UsageError";
    this.next = next;
  }
}
