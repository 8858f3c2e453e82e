/** A page of ours as it is now; undefined where it cannot be had. */
export async function readPage(address: string): Promise<Document | undefined> {
  const answer = await fetch(address);
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : undefined;
}
