import { type Command, InvalidArgumentError } from "commander";
import { JSON_FLAG, type OutputOptions } from "./output.ts";
import type { ProfileOption } from "./session.ts";

/** What every command that calls a server takes. */
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

/** What the arguments of many commands are called; completion goes by these names. */
export const DOCUMENT = ["<document>", "path or id of a document"] as const;
/** What turns something on or off. */
export const SWITCH = ["on", "off"] as const;

export const KNOWLEDGE_BASE = ["<kb>", "name or id of a knowledge base"] as const;
