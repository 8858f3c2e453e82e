import type { Node } from "@svc/document/types";
import { readMedia } from "../../../domain/content/attachments/media.ts";
import type { Services } from "../../../services.ts";
import { remotePictureUrl } from "./remote-picture.ts";
import type { PicturePlace } from "./shown-pictures.ts";

interface Shown {
  readonly workspaceId: string;
  readonly blocks: readonly Node[];
  /** The path below which the page has its route for remote pictures. */
  readonly path: string;
  readonly fileUrl: (attachmentId: string) => string;
}

/** How a page shows the pictures of these blocks. */
export async function picturePlace(
  { database, config, secret }: Pick<Services, "database" | "config" | "secret">,
  { workspaceId, blocks, path, fileUrl }: Shown,
): Promise<PicturePlace> {
  const media = await readMedia(database.read, workspaceId, blocks);
  const origin = config.baseUrl && new URL(config.baseUrl).origin;
  return {
    remoteUrl: (address) =>
      origin && new URL(address).origin === origin ? undefined : remotePictureUrl(secret, path, address),
    isShown: config.remotePictures === "on",
    media: new Map([...media].map(([id, medium]) => [fileUrl(id), medium])),
  };
}
