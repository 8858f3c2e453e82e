import { AccountError } from "./account-error.ts";

/**
 * Without what stands around addresses in the head of a mail, or would have to be quoted there, and without the Kelvin
 * sign, the one letter that becomes another one's, k, when it is made small: two addresses would be one here.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}\u212a]+@[^\s@<>()[\]\\,;:"\p{Cc}\u212a]+$/u;

/** As accounts are looked up by it. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

export const isEmail = (email: string): boolean => EMAIL.test(email) && email.length <= 320;

export const normaliseEmail = (email: string): string => {
  if (!isEmail(email.trim())) throw new AccountError(`${email} is not an email address.`);
  return plainEmail(email);
};
