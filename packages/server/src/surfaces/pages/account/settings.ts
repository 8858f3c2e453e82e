import { settingsPage } from "@svc/web/server/pages/account/settings";
import { lookFrom } from "../look.ts";
import { get, goTo, type MemberVisit, type Outcome, post, show } from "../visit.ts";

async function showSettings({ look, viewer, formToken }: MemberVisit): Promise<Outcome> {
  const { name, picture } = viewer;
  return show(settingsPage({ look, zones: Intl.supportedValuesOf("timeZone"), name, picture, formToken }));
}

async function keepSettings({ form }: MemberVisit): Promise<Outcome> {
  const look = lookFrom({ theme: form.get("theme"), zone: form.get("zone"), dates: form.get("dates") });
  return { ...goTo("/settings", "settings"), look };
}

async function removePicture({ api }: MemberVisit): Promise<Outcome> {
  await api.delete("/me/picture");
  return goTo("/settings", "picture-removed");
}

export const settingsPages = [
  get("/settings", showSettings),
  post("/settings", keepSettings),
  post("/settings/picture/remove", removePicture),
];
