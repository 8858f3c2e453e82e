import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** `/healthz`: the process serves. `/readyz`: the database answers too (migrations ran before the server listened). */
export function mountHealth(server: FastifyInstance, database: Database): void {
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    try {
      await sql`select key from server_state limit 1`.execute(database.read);
      return { status: "ready" };
    } catch {
      return reply.code(503).header("retry-after", "2").send({ status: "database_unavailable" });
    }
  });
}
