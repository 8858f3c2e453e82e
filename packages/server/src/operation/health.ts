import type { FastifyInstance } from "fastify";
import type { Database } from "../db/database.ts";

/** `/healthz`: the process serves. `/readyz`: the database answers too (migrations ran before the server listened). */
export function mountHealth(server: FastifyInstance, database: Database): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    try {
      await database.read.selectFrom("server_state").select("key").limit(1).execute();
      return { status: "ready" };
    } catch {
      return reply.code(503).header("retry-after", "2").send({ status: "database_unavailable" });
    }
  });
}
