import type { FastifyInstance } from "fastify";
import type { Services } from "../services.ts";
import { WriteProbe } from "./write-probe.ts";

/** `/healthz`: the process serves. `/readyz`: the database can be read and written too. */
export function mountHealth(
  server: FastifyInstance,
  { database, config }: Pick<Services, "database" | "config">,
): void {
  const probe = new WriteProbe(database, config);
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    try {
      await database.read.selectFrom("server_state").select("key").limit(1).execute();
      if (await probe.isWritable()) return { status: "ready" };
      return reply.code(503).header("retry-after", "5").send({ status: "database_not_writable" });
    } catch {
      return reply.code(503).header("retry-after", "2").send({ status: "database_unavailable" });
    }
  });
}
