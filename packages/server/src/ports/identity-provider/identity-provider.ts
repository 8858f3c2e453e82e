/** One sign-in through a provider: the random values that tie its answer to the browser that asked. */
export interface SignInFlow {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The person must sign in there again, however recently they did. */
  readonly isAnew: boolean;
}

/** A provider's data about a person, after every check of its answer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The provider has verified that the address belongs to the person. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined if the provider sent no groups. */
  readonly groups: readonly string[] | undefined;
}

/** A service that authenticates people. */
export interface IdentityProvider {
  /** Its part of addresses here: `1` for the first in the settings. */
  readonly key: string;
  readonly name: string;
  readonly issuer: string;
  /** Returns the address to which the browser is sent. */
  begin(flow: SignInFlow): Promise<string>;
  /** Returns the person's identity. `answer` is the query with which the browser returned. */
  finish(flow: SignInFlow, answer: URLSearchParams): Promise<Identity>;
}

/** The reason why a sign-in through a provider failed, as a sentence for the person. */
export class IdentityError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "IdentityError";
  }
}
