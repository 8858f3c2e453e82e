import type { Answer, Client, OptionsOf } from "./client.ts";
import type { Paths } from "./generated/api.ts";

/** Every list that is given page by page. */
export type ListPath = {
  [P in keyof Paths]: Paths[P] extends {
    get: { query?: { cursor?: string }; answer: { data: unknown[]; page: unknown } };
  }
    ? "cursor" extends keyof NonNullable<QueryOf<Paths[P]["get"]>>
      ? P
      : never
    : never;
}[keyof Paths];
type QueryOf<O> = O extends { query?: infer Q } ? Q : never;

export type ItemOf<P extends ListPath> = Answer<P> extends { data: (infer T)[] } ? T : never;
type Arguments<T> = Record<never, never> extends T ? [options?: T] : [options: T];

type PageOf<P extends ListPath> = Answer<P> & {
  readonly data: ItemOf<P>[];
  readonly page: { readonly next_cursor: string | null; readonly has_more: boolean };
};
type GetPage<P extends ListPath> = (path: P, options: object) => Promise<PageOf<P>>;

/** The pages of a list from the first (or from `query.cursor`) to the last, each fetched when it is asked for. */
export async function* listPages<P extends ListPath>(
  client: Client,
  path: P,
  ...[options]: Arguments<OptionsOf<P>>
): AsyncGenerator<PageOf<P>, void, undefined> {
  const get = client.get as unknown as GetPage<P>;
  let query: unknown = options && "query" in options ? options.query : undefined;
  while (true) {
    const page = await get(path, { ...options, query });
    yield page;
    if (!page.page.has_more || page.page.next_cursor === null) return;
    query = { ...Object(query), cursor: page.page.next_cursor };
  }
}

/** Everything in a list, whatever its number of pages. */
export async function* listAll<P extends ListPath>(
  client: Client,
  path: P,
  ...options: Arguments<OptionsOf<P>>
): AsyncGenerator<ItemOf<P>, void, undefined> {
  for await (const page of listPages(client, path, ...options)) yield* page.data;
}
