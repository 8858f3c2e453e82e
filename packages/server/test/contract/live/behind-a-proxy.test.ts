import assert from "node:assert/strict";
import { once } from "node:events";
import { before, test } from "node:test";
import { p } from "@svc/document/testing/builders";
import { CLOSE } from "@svc/live/frames";
import { makeBody } from "../../support/bodies.ts";
import { openSocket, signIn } from "../../support/live-editor.ts";
import { stayInOneDay } from "../../support/until.ts";
import { onEachDatabase } from "../../support/world.ts";

const LIMIT = 8;

onEachDatabase(
  "live documents behind a proxy",
  (world) => {
    before(stayInOneDay);

    test("LIVE29 sockets count for the address that the proxy tells, not for the proxy", async () => {
      const ada = await world.person();
      const { id } = await makeBody(ada.client, [p("One.")]);
      const seat = { url: world.url, cookie: await signIn(world, ada), documentId: id };
      const opened = async (forwarded: string): Promise<string> => {
        const socket = openSocket(seat, "", { "x-forwarded-for": forwarded });
        const answer = await once(socket, "open").then(
          () => "open",
          (error) => /\d{3}/.exec(String(error))?.[0] ?? "",
        );
        socket.terminate();
        return answer;
      };
      for (let n = 0; n < LIMIT; n++) assert.equal(await opened("192.0.2.1"), "open");
      assert.equal(await opened("192.0.2.1"), "429");
      assert.equal(await opened("198.51.100.7, 192.0.2.1"), "429", "what the caller wrote there is not believed");
      assert.equal(await opened("192.0.2.2"), "open");
    });

    test("LIVE9 of what several proxies tell of host and protocol, the nearest counts", async () => {
      const ada = await world.person();
      const { id } = await makeBody(ada.client, [p("One.")]);
      const cookie = (await signIn(world, ada)).replace("svc_session", "__Host-svc_session");
      const socket = openSocket({ url: world.url, cookie, documentId: id }, "", {
        origin: "https://kb.example.com",
        "x-forwarded-for": "192.0.2.3",
        "x-forwarded-host": "outer.example.com, kb.example.com",
        "x-forwarded-proto": "http, https",
      });
      // A client without a state of the document has to fetch it.
      assert.equal((await once(socket, "close"))[0], CLOSE.epoch);
    });
  },
  { SVC_TRUST_PROXY: "on", SVC_RATE_LIMIT: String(LIMIT), SVC_RATE_LIMIT_WINDOW_S: "86400" },
);
