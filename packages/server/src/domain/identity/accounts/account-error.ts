/** A problem with users, workspaces or tokens that a person can fix; its message is shown unchanged. */
export class AccountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AccountError";
  }
}
