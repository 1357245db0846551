import { vi } from "vitest";

/** An upload as the gateway would see it, and what the test makes of it. */
export interface SeenUpload {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly form: FormData;
  /** So much of it is out. */
  progress(loaded: number, total: number): void;
  answer(status: number, body: object | string): void;
  loseLine(): void;
  /** The page gave up waiting. */
  readonly aborted: () => boolean;
}

/** Stands in for the browser's XMLHttpRequest, the one way of uploading that tells its progress. */
export function stubUploads(): SeenUpload[] {
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
