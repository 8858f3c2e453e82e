/** What signs and derives on the server, the same in every process on one database. */
export interface ServerSecret {
  readonly current: string;
  /** What did so before a change of the secret: it still opens what it signed, and makes nothing new. */
  readonly previous: string | undefined;
}

/** Each secret that still counts, the current one first. */
export const validSecrets = ({ current, previous }: ServerSecret): readonly string[] =>
  previous === undefined ? [current] : [current, previous];
