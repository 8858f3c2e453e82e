/** A browser without a screen: keeps cookies, follows nothing, sends forms as our pages do. */
export class Visitor {
  readonly url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.url = url;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Takes a cookie over, as `name=value`. */
  keep(cookie: string): void {
    const [name = "", value = ""] = cookie.split("=");
    this.#cookies.set(name, value);
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { cookie: this.cookie, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.url + path, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Opens a page, takes the token of its forms, and sends the fields. */
  async submit(page: string, action: string, fields: Record<string, string>, headers = {}): Promise<Response> {
    const form_token = await this.formToken(page);
    return this.send(action, { form_token, ...fields }, headers);
  }

  send(action: string, fields: Record<string, string>, headers = {}): Promise<Response> {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(fields).toString();
    return this.fetch(action, { method: "POST", body, headers: { ...type, origin: this.url, ...headers } });
  }

  async formToken(page: string): Promise<string> {
    const text = await (await this.fetch(page)).text();
    return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";
  }
}
