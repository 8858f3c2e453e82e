import { AccountError } from "./account-error.ts";

/** Without what stands around addresses in the head of a mail, or would have to be quoted there. */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/** As accounts are looked up by it. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

export const isEmail = (email: string): boolean => EMAIL.test(email) && email.length <= 320;

export const normaliseEmail = (email: string): string => {
  const plain = plainEmail(email);
  if (!isEmail(plain)) throw new AccountError(`${email} is not an email address.`);
  return plain;
};
