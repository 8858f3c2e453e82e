import { settingsPage } from "@svc/web/pages/account/settings";
import { lookFrom } from "../look.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";

async function showSettings({ look, formToken }: MemberVisit): Promise<Outcome> {
  return show(settingsPage({ look, zones: Intl.supportedValuesOf("timeZone"), formToken }));
}

async function keepSettings({ form }: MemberVisit): Promise<Outcome> {
  const look = lookFrom({ theme: form.get("theme"), zone: form.get("zone"), dates: form.get("dates") });
  return { ...goTo("/settings", "settings"), look };
}

export const settingsPages = [get("/settings", showSettings), post("/settings", keepSettings)];
