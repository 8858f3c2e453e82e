/** Maps ISO 639-1 to 639-3, because Apertium names languages by three letters. */
const threeLetters: ReadonlyMap<string, string> = new Map(
  `aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul bi:bis bm:bam
  bn:ben bo:bod br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces cu:chu cv:chv cy:cym da:dan de:deu dv:div dz:dzo
  ee:ewe el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas ff:ful fi:fin fj:fij fo:fao fr:fra fy:fry ga:gle gd:gla gl:glg
  gn:grn gu:guj gv:glv ha:hau he:heb hi:hin ho:hmo hr:hrv ht:hat hu:hun hy:hye hz:her ia:ina id:ind ie:ile ig:ibo ii:iii
  ik:ipk io:ido is:isl it:ita iu:iku ja:jpn jv:jav ka:kat kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau
  ks:kas ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah mi:mri
  mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya na:nau nb:nob nd:nde ne:nep ng:ndo nl:nld nn:nno no:nor nr:nbl nv:nav
  ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus pt:por qu:que rm:roh rn:run ro:ron ru:rus rw:kin
  sa:san sc:srd sd:snd se:sme sg:sag sh:hbs si:sin sk:slk sl:slv sm:smo sn:sna so:som sq:sqi sr:srp ss:ssw st:sot su:sun
  sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig
  uk:ukr ur:urd uz:uzb ve:ven vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha zh:zho zu:zul`
    .split(/\s+/)
    .map((entry): [string, string] => [entry.slice(0, 2), entry.slice(3)]),
);

/** Languages for which Apertium's packages use another code than the standard. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  hrv: ["hbs_HR", "hbs"],
  srp: ["hbs_SR", "hbs"],
  bos: ["hbs_BS", "hbs"],
  nor: ["nob"],
  lav: ["lvs"],
  msa: ["zlm", "zsm"],
  fas: ["pes"],
};

export interface ApertiumPair {
  readonly source: string;
  readonly target: string;
}

/** The installed pair that fits two BCP 47 tags best: with the region first, then the language alone. */
export function findPair(pairs: readonly ApertiumPair[], source: string, target: string): ApertiumPair | undefined {
  for (const from of languageNames(source)) {
    for (const to of languageNames(target)) {
      const pair = pairs.find((candidate) => candidate.source === from && candidate.target === to);
      if (pair) return pair;
    }
  }
  return undefined;
}

function languageNames(tag: string): string[] {
  const locale = readLocale(tag);
  if (locale === undefined) return [];
  const name = threeLetters.get(locale.language) ?? locale.language;
  const names = [name, ...(otherNames[name] ?? []), locale.language];
  return locale.region === undefined ? names : [...names.map((each) => `${each}_${locale.region}`), ...names];
}

function readLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
