/** One sign-in through a provider: the random values that bind its answer to the browser that asked. */
export interface SignInFlow {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The person has to sign in there again, however long ago they did. */
  readonly isAnew: boolean;
}

/** What a provider says of a person, after every check of its answer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The provider knows that the address is the person's. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined where the provider sent no groups. */
  readonly groups: readonly string[] | undefined;
}

/** A place that knows who people are. */
export interface IdentityProvider {
  /** Its part of addresses here: `1` for the first that the settings name. */
  readonly key: string;
  readonly name: string;
  readonly issuer: string;
  /** Where the browser is sent. */
  begin(flow: SignInFlow): Promise<string>;
  /** Who the provider says it is. `answer` is the query with which the browser came back. */
  finish(flow: SignInFlow, answer: URLSearchParams): Promise<Identity>;
}

/** Why a provider let nobody in, as a sentence for the person. */
export class IdentityError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "IdentityError";
  }
}
