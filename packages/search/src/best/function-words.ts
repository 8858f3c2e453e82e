const listed = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** Words that say nothing about the subject of a question, as the tokenizer folds them, by language. */
const FUNCTION_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: listed(`
    a about after all also am an and any anybody anyone anything are as at be because been before being both but by can
    could did do does doing done each either else every for from get gets getting give go had has have having he her here
    hers him his how i if in into is it its just let like make may me might mine much must my need neither no nor not of
    off on once one only onto or other our ours out own possible shall she should since so some somebody somehow someone
    something such than that the their theirs them then there these they thing things this those though through to too
    until up upon us very want wants was way we were what whatever when where whether which while who whom whose why will
    with within without would yet you your yours s t d m re ve ll don doesn didn isn aren wasn weren won wouldn couldn
    shouldn hasn haven hadn cannot happen happens`),
  de: listed(`
    der die das den dem des ein eine einen einem einer und oder ist sind war wie was wer wo wann warum wird werden kann
    ich du er sie es wir ihr mein meine auf mit von zu zum zur im fur nicht man`),
  es: listed(`
    el la los las un una unos unas y o de del es son como cual cuando donde por para que quien puede mi su con sin no se`),
  fr: listed(`
    le la les l un une des du de d et ou est sont comment quoi qui que quel quelle quels quelles quand pourquoi peut on je
    tu il elle nous vous ils elles mon ma mes sur avec dans par pour pas`),
};

/** English words count everywhere, because English stands in pages of every language. */
export const isFunctionWord = (term: string, languages: readonly string[]): boolean =>
  FUNCTION_WORDS.en!.has(term) || languages.some((language) => FUNCTION_WORDS[language]?.has(term));
