interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of an event stream that is the answer to a request; comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

function parse(block: string): ServerEvent | undefined {
  const fields = (name: string) =>
    block
      .split(/\r?\n/)
      .flatMap((line) => (line.startsWith(`${name}:`) ? line.slice(name.length + 1).trimStart() : []));
  const data = fields("data");
  return data.length === 0 ? undefined : { name: fields("event")[0] ?? "message", data: data.join("\n") };
}
