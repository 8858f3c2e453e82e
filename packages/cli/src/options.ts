import { type Command, InvalidArgumentError } from "commander";
import { JSON_FLAG, type OutputOptions } from "./output.ts";
import type { ProfileOption } from "./session.ts";

/** Options of every command that calls a server. */
export interface ServerOptions extends OutputOptions, ProfileOption {}

export const withServer = (command: Command): Command =>
  command.option("--profile <profile>", "the server to use, see svc profiles").option(...JSON_FLAG);

/** Gathers the values of an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

export const wholeNumber =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const upTo = max === Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number${upTo}.`);
  };

/** The number of a version, or the id of a state from `svc history --all`. */
export type VersionName = number | string;

export const versionName = (text: string): VersionName => (/^state_\w+$/.test(text) ? text : wholeNumber(1)(text));

/** Argument names shared by many commands; completion relies on them. */
export const DOCUMENT = ["<document>", "path or id of a document"] as const;
/** Turns something on or off. */
export const SWITCH = ["on", "off"] as const;

export const KNOWLEDGE_BASE = ["<kb>", "name or id of a knowledge base"] as const;
