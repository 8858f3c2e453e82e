/** Exit codes of the commands. Administration commands use only 0 and 1. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  conflict: 4,
  signIn: 5,
  notAllowed: 6,
  unavailable: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
