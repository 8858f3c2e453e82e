import { MAX_PASSWORD, MIN_PASSWORD } from "@svc/web/server/pages/sign-in/entry";
import { AccountError } from "../../../domain/identity/accounts/account-error.ts";
import { isCommonPassword } from "../../../domain/identity/accounts/common-passwords.ts";
import { normaliseName } from "../../../domain/identity/accounts/create-user.ts";
import { normaliseEmail } from "../../../domain/identity/accounts/email.ts";
import { hashPassword, MAX_PASSWORD_BYTES } from "../../../domain/identity/accounts/password.ts";

export function checkNewPassword(password: string): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD || length > MAX_PASSWORD)
    throw new AccountError(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    throw new AccountError(
      "This password is too long: characters other than plain letters, digits and signs count two to four times.",
    );
  if (isCommonPassword(password))
    throw new AccountError("This password is too easy to guess. Use a few unrelated words instead.");
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** Reads name, email and password from a form, checks them and prepares them for storage. */
export async function readNewAccount(form: URLSearchParams): Promise<NewAccount> {
  const name = normaliseName(form.get("name") ?? "");
  const email = normaliseEmail(form.get("email") ?? "");
  const password = form.get("password") ?? "";
  checkNewPassword(password);
  return { name, email, passwordHash: await hashPassword(password) };
}

/** Runs a step of a form and returns errors that the person can fix as text instead of throwing them. */
export async function catchComplaint<T>(step: () => Promise<T>): Promise<T | { readonly complaint: string }> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof AccountError) return { complaint: error.message };
    throw error;
  }
}

export const isComplaint = <T>(result: T | { readonly complaint: string }): result is { readonly complaint: string } =>
  typeof result === "object" && result !== null && "complaint" in result;
