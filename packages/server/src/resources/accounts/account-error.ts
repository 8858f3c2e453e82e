/** Something about users, workspaces or tokens that a person can put right; said to them as it is. */
export class AccountError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AccountError";
  }
}
