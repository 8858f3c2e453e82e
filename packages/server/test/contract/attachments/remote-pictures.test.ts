import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { defined } from "@svc/document/defined";
import { removeUnusedPictures } from "@svc/server/domain/content/remote-pictures/remove-unused";
import { png } from "../../support/attachments.ts";
import { assertStatus } from "../../support/client.ts";
import { makeDocument, markdown, upload } from "../../support/fixtures.ts";
import { signIn } from "../../support/live-editor.ts";
import { SECOND_SERVER, startServer } from "../../support/process.ts";
import { type ProviderServer, providerServer, type Reply } from "../../support/provider-server.ts";
import { Visitor } from "../../support/visitor.ts";
import { onEachDatabase, type Person, type World } from "../../support/world.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
const loopback = { SVC_WEBHOOK_PRIVATE_ADDRESSES: "127.0.0.0/8" };

const bytes =
  (content: string | Buffer, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/plain", ...headers }).end(content);

/** A foreign host with a picture at every path but those that are named. */
const foreignHost = (replies: Record<string, Reply> = {}): Promise<ProviderServer> =>
  providerServer(({ path }) => replies[path.split("?")[0] ?? ""] ?? bytes(png));

async function visitorOf(world: World, person: Person, url = world.url): Promise<Visitor> {
  const visitor = new Visitor(url);
  visitor.keep(await signIn(world, person));
  return visitor;
}

const plain = (text: string): string => text.replaceAll("&amp;", "&");

/** The addresses of all pictures on a page, as its reader's browser asks for them. */
async function picturesOn(visitor: Visitor, path: string): Promise<string[]> {
  const html = await (await visitor.fetch(path)).text();
  const main = html.slice(html.indexOf("<main"));
  return [...main.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src = ""]) => plain(src));
}

onEachDatabase(
  "remote pictures",
  (world) => {
    let host: ProviderServer;
    let person: Person;
    let visitor: Visitor;
    const origin = () => new URL(host.url).origin;
    const asked = (path: string) => host.seen.filter((request) => request.path === path).length;

    before(async () => {
      host = await foreignHost({
        "/badge.svg": bytes(svg),
        "/packed.svg": bytes(gzipSync(svg), { "content-encoding": "gzip" }),
        "/page.png": bytes("<html><script>alert(1)</script></html>", { "content-type": "image/png" }),
        "/large.png": bytes(Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)])),
        "/gone.png": { status: 410 },
        "/moved.png": { status: 302, headers: { location: "/there.png" } },
        "/inside.png": { status: 302, headers: { location: "http://10.0.0.1/a.png" } },
        "/silent.png": () => undefined,
      });
      person = await world.person();
      visitor = await visitorOf(world, person);
    });
    after(() => host[Symbol.asyncDispose]());

    const documentWith = (text: string) => makeDocument(person.client, { text });

    /** The answer for the one picture of a new document. */
    async function shown(address: string): Promise<Response> {
      const { id } = await documentWith(`![A picture](${address})\n`);
      return visitor.fetch(defined((await picturesOn(visitor, `/documents/${id}`))[0]));
    }

    test("RPIC1 a page shows a remote picture from this origin, fetched once for all its readers", async () => {
      const text = `![A](${origin()}/one.png) and\n\n<p><img src="${origin()}/one.png"></p>\n`;
      const { id } = await documentWith(text);
      const sources = await picturesOn(visitor, `/documents/${id}`);
      assert.equal(sources.length, 2);
      const replies = await Promise.all([...sources, ...sources].map((path) => visitor.fetch(path)));
      for (const reply of replies) {
        assert.equal(reply.status, 200);
        assert.equal(reply.headers.get("content-type"), "image/png");
        assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
      }
      assert.equal(asked("/one.png"), 1);
      const second = await startServer(world.settings, SECOND_SERVER);
      try {
        const there = await visitorOf(world, person, second.url);
        assert.deepEqual(Buffer.from(await (await there.fetch(defined(sources[0]))).arrayBuffer()), png);
      } finally {
        await second.stop();
      }
      assert.equal(asked("/one.png"), 1);
    });

    test("RPIC2 the Markdown, the API's HTML and the export keep the remote address", async () => {
      const address = `${origin()}/kept.png`;
      const { id } = await documentWith(`![A](${address})\n`);
      const content = async (format: string) =>
        (await person.client.get(`/documents/${id}/content?format=${format}`)).text;
      assert.equal(await content("markdown"), `![A](${address})\n`);
      assert.ok((await content("html")).includes(`src="${address}"`));
      assert.equal(asked("/kept.png"), 0);
    });

    test("RPIC3 what is no picture by its bytes, too large, gone or inside is a placeholder that names the host", async () => {
      for (const path of ["/page.png", "/large.png", "/gone.png", "/inside.png"]) {
        const reply = await shown(origin() + path);
        assert.equal(reply.status, 200, path);
        assert.equal(reply.headers.get("content-type"), "image/svg+xml", path);
        assert.ok((await reply.text()).includes(`Picture from ${new URL(origin()).host} not loaded`), path);
      }
      const reply = await shown("http://10.0.0.1/a.png");
      assert.ok((await reply.text()).includes("Picture from 10.0.0.1 not loaded"));
    });

    test("RPIC3 a lost picture is asked for again only after a while", async () => {
      const address = `${origin()}/gone.png?again`;
      await (await shown(address)).text();
      await (await shown(address)).text();
      assert.equal(asked("/gone.png?again"), 1);
      await world.app.services.database.transaction((tx) =>
        tx.updateTable("remote_pictures").set({ due_at: 0 }).where("failed", "=", 1).execute(),
      );
      await (await shown(address)).text();
      assert.equal(asked("/gone.png?again"), 2);
    });

    test("RPIC3 redirects and compressed pictures are followed and read; a script in an SVG cannot run", async () => {
      const moved = await shown(`${origin()}/moved.png`);
      assert.deepEqual(Buffer.from(await moved.arrayBuffer()), png);
      for (const path of ["/badge.svg", "/packed.svg"]) {
        const reply = await shown(origin() + path);
        assert.equal(reply.headers.get("content-type"), "image/svg+xml");
        assert.match(defined(reply.headers.get("content-security-policy")), /^default-src 'none';.* sandbox$/);
        assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
        assert.equal(await reply.text(), svg);
      }
    });

    test("RPIC4 a page does not wait for a host, and a picture waits for a few seconds", async () => {
      const { id } = await documentWith(`![A](${origin()}/silent.png)\n`);
      const [source] = await picturesOn(visitor, `/documents/${id}`);
      assert.equal(asked("/silent.png"), 0);
      assert.ok((await (await visitor.fetch(defined(source))).text()).includes("not loaded"));
      assert.equal(asked("/silent.png"), 1);
    });

    test("RPIC5 only addresses of documents that the reader sees are fetched", async () => {
      const { id, knowledge_base_id } = await documentWith(`![A](${origin()}/mine.png)\n`);
      const [source] = await picturesOn(visitor, `/documents/${id}`);
      const stranger = await visitorOf(world, await world.person());
      assert.equal((await stranger.fetch(defined(source))).status, 404);
      const viewer = await visitorOf(world, await world.person({ workspace: person.workspaceId, role: "viewer" }));
      assertStatus(
        await person.client.patch(`/knowledge-bases/${knowledge_base_id}`, { members_may_comment: false }),
        200,
      );
      const at = (path: string) => `/documents/${id}/pictures?address=${encodeURIComponent(origin() + path)}`;
      assert.ok((await (await viewer.fetch(at("/other.png"))).text()).includes("not loaded"));
      const forged = defined(source).replace("mine.png", "other.png");
      assert.ok((await (await viewer.fetch(forged)).text()).includes("not loaded"));
      assert.equal(asked("/other.png"), 0);
      assert.equal((await viewer.fetch(at("/mine.png"))).headers.get("content-type"), "image/png");
    });

    test("RPIC6 a public page shows remote pictures from its own address, and only those", async () => {
      const { id } = await documentWith(`![A](${origin()}/public.png)\n`);
      const { url } = assertStatus(await person.client.post(`/documents/${id}/public-share`), 200).data;
      const anybody = new Visitor(world.url);
      const [source] = await picturesOn(anybody, new URL(url).pathname);
      const reply = await anybody.fetch(defined(source));
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
      const forged = await anybody.fetch(defined(source).replace("public.png", "else.png"));
      assert.ok((await forged.text()).includes("not loaded"));
      assert.equal(asked("/else.png"), 0);
      const own = defined((await picturesOn(visitor, `/documents/${id}`))[0]);
      const proof = defined(/proof=[\w-]+/.exec(own))[0];
      const borrowed = await anybody.fetch(defined(source).replace(/proof=[\w-]+/, proof));
      assert.ok((await borrowed.text()).includes("not loaded"));
    });

    test("RPIC7 pictures that nobody looks at are removed with their files, the longest unused first", async () => {
      const { services } = world.app;
      const rows = () => services.database.read.selectFrom("remote_pictures").selectAll().execute();
      await (await shown(`${origin()}/old.png`)).arrayBuffer();
      await services.database.transaction((tx) =>
        tx.updateTable("remote_pictures").set({ used_at: 1 }).where("size", "=", png.length).execute(),
      );
      await (await shown(`${origin()}/new.png`)).arrayBuffer();
      await removeUnusedPictures(services, Date.now());
      const left = (await rows()).filter(({ size }) => size === png.length);
      assert.equal(left.length, 1);
      const keys = (await Array.fromAsync(services.blobs.list("remote/"), ({ key }) => key)).sort();
      assert.deepEqual(keys, (await rows()).flatMap(({ blob_key }) => blob_key ?? []).sort());
      await removeUnusedPictures(services, Date.now(), 0);
      assert.deepEqual(
        (await rows()).filter(({ size }) => size > 0),
        [],
      );
      await (await shown(`${origin()}/new.png`)).arrayBuffer();
      assert.equal(asked("/new.png"), 2);
    });

    test("RPIC7 a picture whose file is lost is fetched again", async () => {
      const { services } = world.app;
      await (await shown(`${origin()}/lost.png`)).arrayBuffer();
      for await (const { key } of services.blobs.list("remote/")) await services.blobs.delete(key);
      const reply = await shown(`${origin()}/lost.png`);
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png);
      assert.equal(asked("/lost.png"), 2);
    });

    test("ATT16 sound and films that stand in the text as pictures are played, for members and on public pages", async () => {
      const { id } = await documentWith("Text.\n");
      const film = Buffer.from("AAAAGGZ0eXBpc29tAAACAGlzb21tcDQx", "base64");
      const sound = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt "), Buffer.alloc(24)]);
      const [first, second] = [
        await upload(person.client, id, film, "a.mp4"),
        await upload(person.client, id, sound, "b.wav"),
      ];
      const text = `![A film](${first.url})\n\nand ![](${second.url})\n`;
      assertStatus(await person.client.put(`/documents/${id}/content`, markdown(text), { ifMatch: "*" }), 200);
      const { url } = assertStatus(await person.client.post(`/documents/${id}/public-share`), 200).data;
      for (const path of [`/documents/${id}`, new URL(url).pathname]) {
        const reply = await visitor.fetch(path);
        const html = await reply.text();
        assert.match(html, /<video controls preload="metadata" src="[^"]+" aria-label="A film"><\/video>/);
        assert.match(html, /<audio controls preload="metadata" src="[^"]+" aria-label="Sound"><\/audio>/);
        assert.match(defined(reply.headers.get("content-security-policy")), /media-src 'self'/);
      }
      assert.equal((await person.client.get(`/documents/${id}/content?format=markdown`)).text, text);
    });
  },
  loopback,
);

onEachDatabase(
  "remote pictures that are off",
  (world) => {
    test("RPIC8 with SVC_REMOTE_PICTURES=off a picture is a named link that loads it", async () => {
      await using host = await foreignHost();
      const { origin } = new URL(host.url);
      const person = await world.person();
      const visitor = await visitorOf(world, person);
      const text = `![A & b](${origin}/a.png) [![c](${origin}/c.png)](https://example.com)\n`;
      const { id } = await makeDocument(person.client, { text });
      const { url } = assertStatus(await person.client.post(`/documents/${id}/public-share`), 200).data;
      for (const path of [`/documents/${id}`, new URL(url).pathname]) {
        const html = await (await visitor.fetch(path)).text();
        assert.doesNotMatch(html.slice(html.indexOf("<main")), /<img /);
        assert.match(html, /<span class="picture-name">c<\/span><\/a><a class="picture-load"/);
        const [, href = "", label] = defined(/<a class="picture-load" href="([^"]*)"[^>]*>([^<]*)</.exec(html));
        assert.equal(label, `Load picture from ${new URL(origin).host}: A &amp; b`);
        const seen = host.seen.length;
        const unwanted = await visitor.fetch(plain(href).replace("&load=1", ""));
        assert.ok((await unwanted.text()).includes("not loaded"));
        assert.equal(host.seen.length, seen);
        assert.deepEqual(Buffer.from(await (await visitor.fetch(plain(href))).arrayBuffer()), png);
      }
    });
  },
  { ...loopback, SVC_REMOTE_PICTURES: "off" },
);
