/** The server's signing and derivation key, the same in every process on one database. */
export interface ServerSecret {
  readonly current: string;
  /** The previous secret: verifies old signatures, signs nothing. */
  readonly previous: string | undefined;
}

/** Each valid secret, the current one first. */
export const validSecrets = ({ current, previous }: ServerSecret): readonly string[] =>
  previous === undefined ? [current] : [current, previous];
