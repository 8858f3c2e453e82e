import type { Argument, Command, Option } from "commander";
import { findEntry } from "../commands.ts";
import { makeProgram } from "../program.ts";
import { suggestNames } from "./suggest-names.ts";
import type { Suggestion } from "./suggestion.ts";

/** Makes the shell complete file names itself. */
const FILES = ":files";

/** Prints completions of the last word. `typed` has the words after `svc`; the last one may be incomplete. */
export async function complete(typed: readonly string[]): Promise<void> {
  const words = typed.map(unquoted);
  const current = words.at(-1) ?? "";
  const found = await suggestionsFor(words.slice(0, -1), current);
  const lines = found === FILES ? [FILES] : fitting(found, current);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
}

const fitting = (found: readonly Suggestion[], current: string): string[] =>
  found
    .filter(({ value }) => value.toLowerCase().startsWith(current.toLowerCase()))
    .map(({ value, meaning }) => (meaning ? `${value}\t${meaning}` : value));

/** Unquotes a word as the shell would, even if its quote is still open; fish passes words unquoted. */
const unquoted = (word: string): string => word.replace(/^(["'])(.*?)\1?$/s, "$2").replace(/\\([^/])/g, "$1");

async function suggestionsFor(
  before: readonly string[],
  current: string,
): Promise<readonly Suggestion[] | typeof FILES> {
  const program = await makeProgram(before[0] === "help" ? undefined : before[0]);
  if (before.length === 0 || (before[0] === "help" && before.length === 1)) return commandsOf(program);
  const top = program.commands.find((one) => one.name() === before[0]);
  if (!top || !findEntry(before[0])) return [];
  const { command, rest } = descend(top, before.slice(1));
  const awaited = optionBefore(command, rest);
  if (awaited) return awaited.argChoices?.map((value) => ({ value })) ?? suggestFor(valueName(awaited), current);
  if (current.startsWith("-")) return optionsOf(command);
  const given = countArguments(command, rest);
  const names = command.commands.length > 0 && given === 0 ? commandsOf(command) : [];
  const argument = argumentAt(defaultOf(command), given);
  const others = argument ? await suggestFor(argument.name(), current) : [];
  return names.length > 0 ? [...names, ...(others === FILES ? [] : others)] : others;
}

/** Finds the subcommand that the words name, and the remaining words. */
function descend(top: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = "", ...rest] = words;
  const command = top.commands.find((one) => one.name() === first);
  return command ? { command, rest } : { command: top, rest: words };
}

/** `svc kb` without a subcommand takes the options of `svc kb list`. */
const defaultOf = (command: Command): Command => command.commands[0] ?? command;

const commandsOf = (command: Command): Suggestion[] =>
  command.commands.map((one) => ({ value: one.name(), meaning: one.description() }));

const optionsOf = (command: Command): Suggestion[] => [
  ...defaultOf(command)
    .options.filter((one) => one.long)
    .map((one) => ({ value: one.long ?? "", meaning: one.description })),
  { value: "--help", meaning: "what the command takes" },
];

const findOption = (command: Command, word: string | undefined): Option | undefined =>
  word?.startsWith("-") ? defaultOf(command).options.find((one) => one.long === word || one.short === word) : undefined;

/** The option before the cursor that still needs its value. */
const optionBefore = (command: Command, rest: readonly string[]): Option | undefined => {
  const option = findOption(command, rest.at(-1));
  return option?.required ? option : undefined;
};

const valueName = (option: Option): string => /<([^>]+)>/.exec(option.flags)?.[1] ?? "";

const countArguments = (command: Command, rest: readonly string[]): number =>
  rest.filter((word, index) => !word.startsWith("-") && !findOption(command, rest[index - 1])?.required).length;

function argumentAt(command: Command, index: number): Argument | undefined {
  const all = command.registeredArguments;
  const last = all.at(-1);
  return all[index] ?? (last?.variadic ? last : undefined);
}

async function suggestFor(name: string, current: string): Promise<readonly Suggestion[] | typeof FILES> {
  if (/^files?$/.test(name)) return FILES;
  return suggestNames(name, current);
}
