import { hash, verify } from "@node-rs/argon2";

/** argon2id, 19 MiB, two passes: what OWASP asks for at least. */
const options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

/** Also spends the time of a check when there is no such user, so that timing tells nothing. */
export const checkPassword = async (passwordHash: string | undefined, password: string): Promise<boolean> =>
  verify(passwordHash ?? (await decoy()), password).then((right) => right && passwordHash !== undefined);

let decoyHash: Promise<string> | undefined;
const decoy = (): Promise<string> => {
  decoyHash ??= hashPassword("nobody has this password");
  return decoyHash;
};
