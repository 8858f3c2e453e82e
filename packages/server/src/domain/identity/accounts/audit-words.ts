import type { Access, Role } from "../../../db/schema/tables/accounts.ts";

/** Audit log messages about accounts: whole sentences with the names of that time. */

const ROLES: Record<Role, string> = { owner: "an owner", editor: "an editor", viewer: "a viewer" };

const accessWords = (access: Access): string => ACCESS[access];

const ACCESS: Record<Access, string> = { read_only: "read-only", suggest: "to suggest", read_write: "read and write" };

export const auditWords = {
  signedIn: (name: string, device: string, address: string, through?: string) =>
    `${name} signed in with ${device} from ${address}${through === undefined ? "" : `, ${through}`}`,
  identityLinked: (name: string, provider: string) => `${name} signed in through ${provider} for the first time`,
  identityConnected: (name: string, provider: string) => `${name} connected an account at ${provider} to sign in with`,
  identityDisconnected: (name: string, provider: string) => `${name} disconnected their account at ${provider}`,
  accountBrought: (name: string, provider: string) => `${name} got an account by signing in through ${provider}`,
  accountTakenOver: (name: string, provider: string) =>
    `Somebody took over the account of ${name}: ${provider} verified the e-mail address, which had not been verified before`,
  groupClaimed: (provider: string, name: string, group: string, isIn: boolean) =>
    isIn ? `${provider} put ${name} into the group ${group}` : `${provider} took ${name} out of the group ${group}`,
  signInFailed: (name: string, address: string) => `Somebody gave a wrong password for ${name} from ${address}`,
  codeFailed: (name: string, address: string) => `Somebody gave a wrong code for ${name} from ${address}`,
  proven: (name: string, means: string) => `${name} proved who they are with ${means}`,
  totpOn: (name: string) => `${name} switched codes of an authenticator app on`,
  totpOff: (name: string) => `${name} switched codes of an authenticator app off`,
  recoveryCodesMade: (name: string) => `${name} made new recovery codes`,
  passkeyAdded: (name: string, passkey: string) => `${name} added the passkey ${passkey}`,
  passkeyRemoved: (name: string, passkey: string) => `${name} removed the passkey ${passkey}`,
  factorsReset: (by: string, name: string) => `${by} took all passkeys and codes of ${name} away`,
  signedOut: (name: string) => `${name} signed out`,
  sessionEnded: (name: string, device: string) => `${name} ended their session in ${device}`,
  otherSessionsEnded: (name: string) => `${name} ended all their other sessions`,
  passwordChanged: (name: string, revoked: number) => `${name} changed their password${tokensToo(revoked)}`,
  passwordReset: (name: string, revoked: number) => `${name} set a new password with a reset link${tokensToo(revoked)}`,
  resetMailed: (name: string) => `A link with which ${name} can set a new password was sent to their e-mail address`,
  emailVerified: (name: string, email: string) => `${name} showed that ${email} is their e-mail address`,
  emailVouched: (by: string, name: string) => `${by} vouched for the e-mail address of ${name}`,
  emailChanged: (name: string, from: string, to: string) =>
    `${name} changed their e-mail address from ${from} to ${to}`,
  nameChanged: (from: string, to: string) => `${from} is now called ${to}`,
  workspaceMade: (name: string, workspace: string) => `${name} made the workspace ${workspace}`,
  workspaceRenamed: (name: string, workspace: string) => `${name} renamed the workspace to ${workspace}`,
  invited: (name: string, role: Role, note: string) =>
    `${name} invited ${note === "" ? "somebody" : note} as ${ROLES[role]}`,
  invitationWithdrawn: (name: string, role: Role, note: string) =>
    `${name} withdrew the invitation of ${note === "" ? "somebody" : note} as ${ROLES[role]}`,
  joined: (name: string, role: Role, inviter: string) => `${name} joined as ${ROLES[role]}, invited by ${inviter}`,
  roleChanged: (name: string, member: string, role: Role) => `${name} made ${member} ${ROLES[role]}`,
  removed: (name: string, member: string) => `${name} removed ${member}`,
  left: (name: string) => `${name} left the workspace`,
  tokenMade: (name: string, token: string, access: Access) => `${name} made the token ${token}, ${accessWords(access)}`,
  tokenRevoked: (name: string, token: string, holder: string) =>
    `${name} revoked the token ${token}${holder === name ? "" : ` of ${holder}`}`,
  deviceAnswered: (name: string, program: string, access: Access | undefined) =>
    access === undefined
      ? `${name} refused a program that calls itself ${program}`
      : `${name} connected a program that calls itself ${program}, ${accessWords(access)}`,
  reuseNoticed: (program: string) =>
    `${program} was disconnected, because a code or refresh token of it was used a second time`,
  disconnected: (name: string, program: string) => `${name} disconnected ${program}`,
  accountMade: (by: string, name: string, role: Role) => `${by} made the account of ${name}, ${ROLES[role]}`,
  accountDisabled: (by: string, name: string) => `${by} disabled the account of ${name}`,
  accountEnabled: (by: string, name: string) => `${by} enabled the account of ${name}`,
  accountDeleted: (by: string, name: string) => `${by} deleted the account of ${name}`,
  resetOffered: (by: string, name: string) => `${by} made a link with which ${name} can set a new password`,
  allSessionsEnded: (by: string, name: string) => `${by} ended all sessions of ${name}`,
} as const;

const tokensToo = (revoked: number): string =>
  revoked === 0 ? "" : ` and revoked ${revoked === 1 ? "their token" : `their ${revoked} tokens`}`;

/** The actor of commands on the command line. */
export const OPERATOR = "The operator";
