/** Loaded with the first password, so that a server that only sees tokens starts faster. */
const argon2 = () => import("@node-rs/argon2");

/** argon2id, 19 MiB, two passes: the minimum that OWASP recommends. */
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, options);

/** In UTF-8. With every byte escaped, the form still fits into the 4 KB that sign-in accepts. */
export const MAX_PASSWORD_BYTES = 1000;

/** Replaces the hash of an account without a password. */
export const NO_PASSWORD = "";

/** Takes as long if there is no user or no password, so that timing reveals nothing. */
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
