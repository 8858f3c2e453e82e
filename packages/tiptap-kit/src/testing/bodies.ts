import { code, doc, id, inlineMath, li, math, ol, p, task, tasks, text, ul } from "@svc/document/testing/builders";
import type { Body, Node } from "@svc/document/types";

const bold = { type: "bold" };
const youtube: Node = { type: "youtube", attrs: { src: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" } };
const emoji: Node = { type: "emoji", attrs: { name: "tada", emoji: "🎉" } };
const mention: Node = { type: "mention", attrs: { kind: "user", id: "user_01K00000000000000000000000", label: "Ada" } };

/** Bodies that editors and their extensions are known to treat differently. */
export const bodies: Readonly<Record<string, Body>> = {
  "an empty document": doc(),
  "code with other marks": doc(id(1, p(text("x", bold, { type: "code" }, { type: "link", attrs: { href: "/a" } })))),
  "list items that begin with no paragraph": doc(
    id(1, ul(id(2, li(id(3, code("a")))), id(4, li(id(5, ul(id(6, li(id(7, p("b")))))))))),
  ),
  "tasks and maths": doc(id(1, tasks(id(2, task(true, id(3, p("a", inlineMath("x"))))))), id(4, math("E"))),
  "textAlign and the kind of numbers": doc(
    id(1, { ...p("a"), attrs: { textAlign: "center" } }),
    id(2, { ...ol(3, id(3, li(id(4, p("b"))))), attrs: { start: 3, type: "a" } }),
  ),
  "mention, youtube and emoji": doc(id(1, p("a ", mention, emoji)), id(2, youtube)),
};
