import { MAX_PASSWORD, MIN_PASSWORD } from "@svc/web/pages/sign-in/entry";
import { AccountError } from "../../resources/accounts/account-error.ts";
import { isCommonPassword } from "../../resources/accounts/common-passwords.ts";
import { normaliseName } from "../../resources/accounts/create-user.ts";
import { normaliseEmail } from "../../resources/accounts/email.ts";
import { hashPassword, MOST_PASSWORD_BYTES } from "../../resources/accounts/password.ts";

export function checkNewPassword(password: string): void {
  const { length } = [...password];
  if (length < MIN_PASSWORD || length > MAX_PASSWORD)
    throw new AccountError(`A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`);
  if (Buffer.byteLength(password) > MOST_PASSWORD_BYTES)
    throw new AccountError("This password is too long: letters other than a to z count for two to four characters.");
  if (isCommonPassword(password))
    throw new AccountError(
      "This is one of the passwords that are guessed first. A few unrelated words make a good one.",
    );
}

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** Name, email and password of a form, checked and ready to be stored. */
export async function readNewAccount(form: URLSearchParams): Promise<NewAccount> {
  const name = normaliseName(form.get("name") ?? "");
  const email = normaliseEmail(form.get("email") ?? "");
  const password = form.get("password") ?? "";
  checkNewPassword(password);
  return { name, email, passwordHash: await hashPassword(password) };
}

/** Runs a step of a form; what a person can put right comes back as text instead of being thrown. */
export async function orComplaint<T>(step: () => Promise<T>): Promise<T | { readonly complaint: string }> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof AccountError) return { complaint: error.message };
    throw error;
  }
}

export const isComplaint = <T>(result: T | { readonly complaint: string }): result is { readonly complaint: string } =>
  typeof result === "object" && result !== null && "complaint" in result;
