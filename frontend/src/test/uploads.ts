import { vi } from "vitest";

/** An upload as the gateway would receive it, with the means to answer it. */
export interface SeenUpload {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly form: FormData;
  /** Reports that `loaded` of `total` bytes were sent. */
  progress(loaded: number, total: number): void;
  answer(status: number, body: object | string): void;
  loseLine(): void;
  /** Whether the page has aborted the upload. */
  readonly aborted: () => boolean;
}

/** The preview URL of every file, because jsdom has none. */
export const PREVIEW_URL = "blob:preview";

/** Replaces XMLHttpRequest, which `upload` uses for its progress events. */
export function stubUploads(): SeenUpload[] {
  Object.assign(URL, { createObjectURL: () => PREVIEW_URL, revokeObjectURL: vi.fn() });
  const seen: SeenUpload[] = [];
  class StubRequest {
    status = 0;
    responseText = "";
    upload: { onprogress?: (event: object) => void } = {};
    onload = () => {};
    onerror = () => {};
    onloadend = () => {};
    #method = "";
    #path = "";
    #headers = new Headers();
    #aborted = false;

    open(method: string, url: string) {
      this.#method = method;
      this.#path = url.replace(/^\/api/, "");
    }
    setRequestHeader(name: string, value: string) {
      this.#headers.set(name, value);
    }
    getResponseHeader(name: string) {
      return name === "x-trace-id" ? "0af7651916cd43dd8448eb211c80319c" : null;
    }
    abort() {
      this.#aborted = true;
      this.onloadend();
    }
    send(form: FormData) {
      seen.push({
        method: this.#method,
        path: this.#path,
        headers: this.#headers,
        form,
        progress: (loaded, total) => this.upload.onprogress?.({ loaded, total, lengthComputable: true }),
        answer: (status, body) => {
          this.status = status;
          this.responseText =
            typeof body === "string" ? body : JSON.stringify({ statusCode: status, ...body });
          this.onload();
          this.onloadend();
        },
        loseLine: () => {
          this.onerror();
          this.onloadend();
        },
        aborted: () => this.#aborted,
      });
    }
  }
  vi.stubGlobal("XMLHttpRequest", StubRequest);
  return seen;
}
