import { connectPage } from "@svc/web/server/pages/account/connect";
import { get, show } from "../visit.ts";

export const connectPages = [get("/account/connect", async ({ baseUrl }) => show(connectPage({ baseUrl })))];
