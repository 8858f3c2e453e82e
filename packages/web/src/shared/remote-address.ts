const HERE = "https://here.invalid";

/** The address of a picture that lies at another host, as browsers read it; undefined for a path of this site. */
export function remoteAddress(src: string): string | undefined {
  const url = URL.parse(src, `${HERE}/`);
  if (!url || url.origin === HERE || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href;
}
