import { execFileSync } from "node:child_process";
import { FolderStore } from "../folder-store.ts";
import { NEW_PAGE } from "../tasks.ts";
import { Count, type Way } from "../way.ts";

/** Files in a repository, by grep, sed and git. */
export function shellWay(): Way {
  const store = new FolderStore();
  const count = new Count();
  const sh = async (command: string): Promise<string> =>
    count.add(command, execFileSync("bash", ["-c", command], { cwd: store.directory, encoding: "utf8" }));
  return {
    name: "shell + git",
    store,
    count,
    close: store.close,
    scripts: {
      "find a fact, fix a word": async () => {
        await sh("grep -rn 'zebrafish' --include='*.md' .");
        return sh("sed -i 's/kept for 90 days/kept for 60 days/' 'Engineering/Engineering page 7.md'");
      },
      "add a bullet under a heading": async () => {
        await sh("grep -n -A6 '^## Rules' 'People/People page 5.md'");
        return sh(
          "sed -i '/^## Rules/,/^## Details/{/^$/{x;s/^/x/;/^xx$/{x;s/^/- Ask before you leave.\\n/;b};x}}' 'People/People page 5.md'",
        );
      },
      "what changed (20 edits, 8 pages)": () => sh("git diff -U0 yesterday"),
      "move a section, keep links": async () => {
        const [from, to] = ["Engineering/Engineering page 20.md", "Operations/Operations page 20.md"];
        await sh("grep -rn 'Engineering page 20.md#rules' --include='*.md' .");
        return sh(
          `(echo; sed -n '/^## Rules/,/^## Details/{/^## Details/!p}' '${from}') >> '${to}' && sed -i '/^## Rules/,/^## Details/{/^## Details/!d}' '${from}' && sed -i 's#../Engineering/Engineering page 20.md\\#rules#../Operations/Operations page 20.md\\#rules#' 'People/People page 20.md'`,
        );
      },
      "three cited paragraphs": () => sh("grep -rn -i 'quokka nodes' --include='*.md' ."),
      "one section of 40,000 words": () =>
        sh("sed -n '/^## Chapter 120$/,/^## Chapter 121$/{/^## Chapter 121$/!p}' 'Product/Product page 1.md'"),
      "new page in the right folder": () => sh(`cat > 'Operations/Hand-over.md' <<'END'\n${NEW_PAGE}\nEND`),
      "one cell of 200 rows": async () => {
        await sh("grep -rn 'part-117 ' --include='*.md' .");
        return sh("sed -i 's/^| part-117 | 362 |/| part-117 | 399 |/' 'Finance/Finance page 9.md'");
      },
      "overview of 60 pages": () =>
        sh('cd Finance && for f in *.md; do echo "$f: $(head -c 120 "$f" | head -1)"; done'),
      "two agents on one page": async () => {
        const file = "'Operations/Operations page 3.md'";
        for (let i = 0; i < 2; i++) await sh(`sed -n '/^## Nodes/,$p' ${file}`);
        await sh(`sed -i 's/at dawn/at noon/' ${file}`);
        return sh(`sed -i 's/share a disk/share a network/' ${file}`);
      },
    },
  };
}
