/** Ordinary text in several languages and forms, written for the test of the token estimate. */
export const samples: Readonly<Record<string, string>> = {
  English: `When the harbour froze in the second week of January, the ferries stopped and the town had to think of other ways to bring in bread. Farmers from the hills came down with sledges, and for a few days the market square looked the way it does in old photographs. Nobody complained much. The school stayed open because the teachers lived within walking distance, and the children thought it was the best winter they could remember.

What people remember less often is the paperwork that followed. Insurance companies wanted to know who had ordered the crossings to be cancelled, and at what hour; the port authority had kept two logs that disagreed. A committee met four times before it could say that the decision had been sensible, that it had been taken late, and that the next one should be written down by the person who takes it.`,
  "English, technical": `The server keeps one connection for writing and several for reading. A request that changes something waits for the writer, so two changes never overlap, while readers always see the last committed state. If the process is killed between the two steps, the log is replayed on the next start and nothing that was acknowledged is lost. You can raise the number of readers with the setting described below; more than the number of processor cores rarely helps. Backups are taken from a snapshot and do not block anybody. To restore one, stop the service, put the file in place of the old one, and start it again.`,
  "English, Markdown": `# Getting started

Install the package and create a project:

\`\`\`sh
npm install example-server
npx example-server init --name notes
\`\`\`

Then open <http://localhost:3000> in a browser. You will see an **empty workspace**; press *New page* to begin.

- Pages are saved while you type.
- Links to other pages are made with \`[[\` and the first letters of a title.
- Pictures can be dragged into the text (up to 10 MB each).

> [!NOTE]
> The first account becomes the owner. See [roles and rights](https://example.org/docs/roles) for what that means.`,
  "Chinese, simplified": `去年冬天，我们决定把公司的知识库搬到自己的服务器上。原来的系统用了很多年，里面有几千篇文档，可是搜索很慢，权限也不清楚，新来的同事常常找不到需要的资料。项目开始的时候，大家最担心的是数据会不会丢失。为此我们先做了一次完整的备份，然后一个部门一个部门地迁移，每迁移完一部分，就请使用的人检查一遍。

三个月以后，所有的文档都搬完了。现在打开一篇文章只需要不到一秒钟，修改的历史也可以随时查看。有人说，最大的变化不是速度，而是大家又愿意把自己知道的东西写下来了。下一步，我们打算把会议记录和常见问题也整理进去，让不同城市的团队都能看到同样的内容。`,
  "Chinese, technical": `服务器只保留一个写连接和若干个读连接。修改数据的请求必须等待写连接，因此两个修改永远不会同时发生，而读取的请求总是看到最后一次提交的状态。如果进程在两个步骤之间被终止，下次启动时会重新执行日志，已经确认的内容不会丢失。可以通过下面的设置增加读连接的数量，但是超过处理器核心数一般没有帮助。备份使用快照，不会影响其他用户。`,
  "Chinese, traditional": `這個專案開始的時候，大家最擔心的是資料會不會遺失。我們先做了一次完整的備份，然後一個部門一個部門地搬移，每完成一部分，就請使用的人檢查一遍。三個月以後，所有的文件都搬完了，現在打開一篇文章只需要不到一秒鐘，修改的紀錄也可以隨時查看。有人說，最大的變化不是速度，而是大家又願意把自己知道的事情寫下來了。`,
  Japanese: `去年の冬、私たちは社内の文書をすべて自分たちのサーバーに移すことにしました。それまで使っていた仕組みには何千もの記事がありましたが、検索が遅く、誰が何を見られるのかもはっきりしませんでした。最初に心配したのは、データが失われないかということです。そこで、まず全体のバックアップを取り、部署ごとに少しずつ移していきました。

三か月後にはすべての作業が終わりました。今では記事を開くのに一秒もかからず、いつ誰が変更したのかもすぐに分かります。一番大きな変化は速さではなく、みんながまた自分の知っていることを書くようになったことだ、と言う人もいます。`,
  Russian: `Прошлой зимой мы решили перенести базу знаний компании на собственный сервер. Старая система работала много лет, в ней были тысячи документов, но поиск занимал слишком много времени, а права доступа никто толком не понимал. В начале проекта больше всего боялись потерять данные, поэтому сначала сделали полную копию, а потом переносили отдел за отделом и каждый раз просили людей проверить результат.

Через три месяца всё было готово. Теперь статья открывается быстрее чем за секунду, а историю изменений можно посмотреть в любой момент. Некоторые говорят, что главное изменение не в скорости, а в том, что люди снова стали записывать то, что знают.`,
  German: `Im letzten Winter haben wir beschlossen, die Wissensdatenbank der Firma auf einen eigenen Server zu bringen. Das alte System lief seit vielen Jahren und enthielt einige tausend Dokumente, aber die Suche war langsam, und niemand wusste genau, wer was lesen durfte. Am Anfang hatten alle Angst, dass Daten verloren gehen. Deshalb haben wir zuerst eine vollständige Sicherung gemacht und dann eine Abteilung nach der anderen umgezogen.`,
  French: `L'hiver dernier, nous avons décidé de déplacer la base de connaissances de l'entreprise sur notre propre serveur. L'ancien système fonctionnait depuis des années et contenait des milliers de documents, mais la recherche était lente et personne ne savait vraiment qui pouvait lire quoi. Au début du projet, tout le monde craignait de perdre des données ; nous avons donc d'abord fait une sauvegarde complète, puis déplacé un service après l'autre.`,
  "Code, TypeScript": `export async function loadPage(store: Store, id: string, options: LoadOptions = {}): Promise<Page | undefined> {
  const row = await store.queryOne("select id, title, body, updated_at from pages where id = ?", [id]);
  if (row === undefined) return undefined;
  const blocks: Block[] = JSON.parse(row.body);
  const visible = options.includeHidden ? blocks : blocks.filter((block) => !block.hidden);
  for (let i = 0; i < visible.length; i++) {
    if (visible[i].type === "image" && visible[i].width > 1200) {
      visible[i] = { ...visible[i], width: 1200, height: Math.round((visible[i].height * 1200) / visible[i].width) };
    }
  }
  return { id: row.id, title: row.title, blocks: visible, updatedAt: new Date(row.updated_at) };
}
`,
  "Code, Python": `class RateLimiter:
    """Allows at most \`limit\` calls in any window of \`seconds\`."""

    def __init__(self, limit: int, seconds: float) -> None:
        self.limit = limit
        self.seconds = seconds
        self._calls: deque[float] = deque()

    def allow(self, now: float | None = None) -> bool:
        now = time.monotonic() if now is None else now
        while self._calls and now - self._calls[0] >= self.seconds:
            self._calls.popleft()
        if len(self._calls) >= self.limit:
            return False
        self._calls.append(now)
        return True


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=10)
    args = parser.parse_args(argv)
    limiter = RateLimiter(args.limit, 1.0)
    print(sum(limiter.allow() for _ in range(100)))
    return 0
`,
  "Code, JSON": `{
  "name": "notes",
  "version": "1.4.0",
  "private": true,
  "scripts": { "start": "node src/main.js", "test": "node --test", "lint": "eslint ." },
  "dependencies": { "fastify": "^5.2.0", "better-queue": "~3.8.12" },
  "pages": [
    { "id": 1042, "title": "Getting started", "tags": ["guide", "new"], "published": true },
    { "id": 1043, "title": "Roles and rights", "tags": [], "published": false }
  ]
}
`,
  "Markdown table": `| Setting | Default | Meaning |
| --- | --- | --- |
| \`HOST\` | \`127.0.0.1\` | the address that the server listens on |
| \`PORT\` | \`3000\` | the port; 0 picks a free one |
| \`DATA_DIR\` | \`./data\` | where the database and the uploaded files are kept |
| \`MAX_UPLOAD\` | 50 MB | the largest file that is accepted |
| \`LOG_LEVEL\` | \`info\` | one of \`debug\`, \`info\`, \`warn\`, \`error\` |
| \`SESSION_DAYS\` | 30 | how long a person stays signed in |
`,
  "Markdown table of numbers": `| City | 2021 | 2022 | 2023 | Change |
| :--- | ---: | ---: | ---: | ---: |
| Lisbon | 544,851 | 548,703 | 567,131 | +3.4 % |
| Oslo | 699,827 | 709,037 | 717,710 | +1.2 % |
| Vienna | 1,920,949 | 1,931,593 | 1,982,097 | +2.6 % |
| Prague | 1,335,084 | 1,275,406 | 1,357,326 | +6.4 % |
| Warsaw | 1,863,056 | 1,861,975 | 1,861,599 | -0.02 % |
`,
};
