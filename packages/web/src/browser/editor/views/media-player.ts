import { element } from "../../islands/common/element.ts";

/** A player for an audio or video file that the text embeds as a picture. */
export interface Player {
  readonly url: string;
  readonly element: HTMLMediaElement;
}

/** Creates the player of an audio or video file; undefined for any other file. */
export async function playerOf(url: string, name: string): Promise<Player | undefined> {
  if (URL.parse(url)?.origin !== location.origin) return undefined;
  const response = await fetch(url, { headers: { range: "bytes=0-0" } }).catch(() => undefined);
  const kind = /^(audio|video)\//.exec(response?.headers.get("content-type") ?? "")?.[1];
  await response?.body?.cancel();
  if (kind !== "audio" && kind !== "video") return undefined;
  const player = element(kind, { controls: "", preload: "metadata", src: url, "aria-label": name || "Recording" });
  return { url, element: player };
}
