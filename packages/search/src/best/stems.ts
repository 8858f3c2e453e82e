import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";

type Stemmer = (word: string) => string;

/** Snowball's stemmers by the primary subtag of their language. */
const STEMMERS: Readonly<Record<string, Stemmer>> = {
  ar: arabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  it: italian,
  nb: norwegian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
};

const SCRIPTS: readonly (readonly [script: RegExp, fallback: string, languages: ReadonlySet<string>])[] = [
  [/^[a-z]+$/, "en", new Set("da de en es fi fr hu it nb nl no pt ro sv tr".split(" "))],
  [/^\p{sc=Cyrillic}+$/u, "ru", new Set(["ru"])],
  [/^\p{sc=Greek}+$/u, "el", new Set(["el"])],
  [/^\p{sc=Arabic}+$/u, "ar", new Set(["ar"])],
];

/** The languages whose stemmers apply to a word: those given that use its script, and always the script's most usual. */
function languagesFor(word: string, languages: readonly string[]): string[] {
  for (const [script, fallback, members] of SCRIPTS) {
    if (!script.test(word)) continue;
    return [...new Set([fallback, ...languages.filter((language) => members.has(language))])].sort();
  }
  return [];
}

/** Stemming costs a microsecond and more, and indexes repeat their words. Emptied when full. */
const CACHE_LIMIT = 100_000;
const caches = new Map<string, Map<string, string>>();

function stemOf(language: string, word: string): string {
  const cache = caches.get(language) ?? new Map<string, string>();
  caches.set(language, cache);
  const known = cache.get(word);
  if (known !== undefined) return known;
  const stem = STEMMERS[language]!(word);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(word, stem);
  return stem;
}

/** The terms that are forms of one word. */
export type Forms = {
  /** Equal for words with the same forms. */
  readonly name: string;
  /** All forms begin with it. */
  readonly beginning: string;
  has(term: string): boolean;
};

/** Shorter words have no other forms, and longer ones are cut in the index. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 40;

/** Undefined for a word that only counts as written: one with digits, or of a language without a stemmer. */
export function formsOf(term: string, languages: readonly string[]): Forms | undefined {
  if (term.length < MIN_LENGTH || term.length > MAX_LENGTH) return undefined;
  const used = languagesFor(term, languages);
  if (used.length === 0) return undefined;
  const stems = used.map((language) => [language, stemOf(language, term)] as const);
  const beginning = stems.map(([, stem]) => beginningOf(term, stem)).reduce(commonBeginning);
  if (beginning.length < 2) return undefined;
  return {
    name: stems.map(([language, stem]) => `${language}:${stem}`).join(" "),
    beginning,
    has: (other) =>
      other === term ||
      (other.length <= MAX_LENGTH && stems.some(([language, stem]) => stemOf(language, other) === stem)),
  };
}

/** Stemmers replace the last letters: `happy` and `happiness` have the stem `happi`. */
function beginningOf(term: string, stem: string): string {
  const common = commonBeginning(term, stem);
  return common.length === stem.length && common.length > MIN_LENGTH && /[eiy]$/.test(stem)
    ? common.slice(0, -1)
    : common;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
