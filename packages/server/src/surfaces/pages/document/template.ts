import { goTo, idFrom, type MemberVisit, type Outcome, post } from "../visit.ts";

const switchTemplate =
  (is_template: boolean, notice: string) =>
  async (visit: MemberVisit): Promise<Outcome> => {
    const id = idFrom(visit.params.id, "document");
    await visit.api.patch("/documents/{id}", { path: { id }, body: { is_template } });
    return goTo(`/documents/${encodeURIComponent(id)}`, notice);
  };

/** Marks a document as a template for new pages, or removes the mark. */
export const templatePages = [
  post("/documents/:id/template", switchTemplate(true, "template-on")),
  post("/documents/:id/no-template", switchTemplate(false, "template-off")),
];
