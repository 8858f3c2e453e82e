/** Loaded when the first password is seen: a server that only meets tokens starts faster. */
const argon2 = () => import("@node-rs/argon2");

/** argon2id, 19 MiB, two passes: what OWASP asks for at least. */
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, options);

/** In UTF-8: a form that has one, every byte escaped, has to fit into the 4 KB that the sign-in takes. */
export const MOST_PASSWORD_BYTES = 1000;

/** In place of the hash of an account that has no password. */
export const NO_PASSWORD = "";

/** Also spends the time of a check when there is no such user or no password, so that timing shows nothing. */
export async function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const { verify } = await argon2();
  const right = await verify(passwordHash || (await decoy()), password);
  return right && Boolean(passwordHash);
}

let decoyHash: Promise<string> | undefined;
const decoy = (): Promise<string> => {
  decoyHash ??= hashPassword("nobody has this password");
  return decoyHash;
};
