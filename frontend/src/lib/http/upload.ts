import { throwIfAborted } from "@/lib/aborted";
import { API_BASE, REQUEST_TIMEOUT_MS } from "@/lib/env";
import { withAuth } from "@/lib/http/client";
import { openEnvelope, type Reply } from "@/lib/http/envelope";
import { Fault, OFFLINE, TIMED_OUT } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { currentLocale } from "@/lib/i18n/language";

/** Reports the fraction of the form that has been sent, from 0 to 1. */
export type OnProgress = (fraction: number) => void;

interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: unknown;
}

function answerOf(request: XMLHttpRequest): Answer {
  let body: unknown = null;
  try {
    body = JSON.parse(request.responseText);
  } catch {
    // The body is not JSON: `openEnvelope` throws BAD_REPLY for null.
  }
  return { status: request.status, header: (name) => request.getResponseHeader(name), body };
}

/**
 * Uses XMLHttpRequest, because `fetch` reports no upload progress. The timeout restarts whenever bytes were sent, so
 * that a slow connection is not taken for a dead one, and applies once more to the wait for the reply.
 */
function sendForm(
  path: string,
  form: FormData,
  bearer: string,
  { onProgress, signal }: UploadOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const timeOut = () => {
      reject(new Fault(t("fault.timeout"), { code: TIMED_OUT, status: 0 }));
      request.abort();
    };
    const restartTimeout = () => {
      clearTimeout(timeout);
      timeout = setTimeout(timeOut, REQUEST_TIMEOUT_MS);
    };
    request.open("POST", `${API_BASE}${path}`);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("accept-language", currentLocale());
    request.setRequestHeader("authorization", `Bearer ${bearer}`);
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      restartTimeout();
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new Fault(t("fault.offline"), { code: OFFLINE, status: 0 }));
    request.onloadend = () => clearTimeout(timeout);
    signal?.addEventListener("abort", () => {
      reject(signal.reason);
      request.abort();
    });
    restartTimeout();
    request.send(form);
  });
}

interface UploadOptions {
  readonly onProgress: OnProgress;
  /** Cancels the upload: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Uploads a form with a file and the player's token. @throws Fault for every status other than 200 and 201. */
export function upload(
  path: string,
  form: FormData,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<Reply<unknown>> {
  return withAuth(async (bearer) => {
    throwIfAborted(signal);
    const { status, header, body } = await sendForm(path, form, bearer, { onProgress, signal });
    return openEnvelope(path, status, header, body);
  });
}
