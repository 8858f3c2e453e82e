import { AccountError } from "./account-error.ts";

/**
 * Excludes the characters that delimit addresses in mail headers or need quoting there, and the Kelvin sign, the only
 * letter that lower-cases to another letter (k): two addresses would be the same here.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}\u212a]+@[^\s@<>()[\]\\,;:"\p{Cc}\u212a]+$/u;

/** The form in which accounts are looked up. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

export const isEmail = (email: string): boolean => EMAIL.test(email) && email.length <= 320;

export const normaliseEmail = (email: string): string => {
  if (!isEmail(email.trim())) throw new AccountError(`${email} is not an email address.`);
  return plainEmail(email);
};
