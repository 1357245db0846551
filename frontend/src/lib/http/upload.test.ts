import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { REQUEST_TIMEOUT_MS } from "@/lib/env";
import { BAD_REPLY, Fault, OFFLINE, TIMED_OUT } from "@/lib/http/fault";
import { currentSession, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { stubGateway } from "@/test/gateway";
import { aSession } from "@/test/players";
import { type SeenUpload, stubUploads } from "@/test/uploads";
import { upload } from "./upload";

function aForm(): FormData {
  const form = new FormData();
  form.append("file", new File(["picture"], "picture.jpg"));
  return form;
}

/** Waits until the upload has started, which happens after the token was fetched. */
async function startedUpload(seen: SeenUpload[], index = 0): Promise<SeenUpload> {
  await eventually(() => expect(seen).toHaveLength(index + 1));
  return seen[index] as SeenUpload;
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const cause: unknown = await promise.catch((error: unknown) => error);
  if (!(cause instanceof Fault)) throw new Error(`no fault: ${String(cause)}`);
  return cause;
}

beforeEach(() => saveSession(aSession()));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("sends the form with the player's token, reports progress and returns the envelope", async () => {
  const seen = stubUploads();
  const progress: number[] = [];
  const form = aForm();
  const reply = upload("/upload", form, (fraction) => progress.push(fraction));
  const sent = await startedUpload(seen);
  expect(sent).toMatchObject({ method: "POST", path: "/upload" });
  expect(sent.headers.get("authorization")).toBe("Bearer access-1");
  // The browser sets the content type, because only it knows the multipart boundary.
  expect(sent.headers.has("content-type")).toBe(false);
  expect(sent.form).toBe(form);
  sent.progress(25, 100);
  sent.progress(100, 100);
  sent.answer(200, { payload: { url: "/media/x.jpg" } });
  expect((await reply).payload).toEqual({ url: "/media/x.jpg" });
  expect(progress).toEqual([0.25, 1]);
});

test("repeats the upload once with a new token when the server refuses the old one", async () => {
  const renewed = aSession({ accessToken: "access-2", refreshToken: "refresh-2" });
  stubGateway({ "POST /auth/refresh": () => ({ statusCode: 200, payload: renewed }) });
  const seen = stubUploads();
  const reply = upload("/upload", aForm(), () => {});
  (await startedUpload(seen)).answer(401, { payload: { code: "UNAUTHENTICATED" } });
  const again = await startedUpload(seen, 1);
  expect(again.headers.get("authorization")).toBe("Bearer access-2");
  again.answer(200, { payload: null });
  expect((await reply).statusCode).toBe(200);
  expect(currentSession()?.accessToken).toBe("access-2");
});

test("a lost connection and a reply without an envelope are faults", async () => {
  const seen = stubUploads();
  const lost = faultOf(upload("/upload", aForm(), () => {}));
  (await startedUpload(seen)).loseLine();
  expect(await lost).toMatchObject({ code: OFFLINE, status: 0 });
  const foreign = faultOf(upload("/upload", aForm(), () => {}));
  (await startedUpload(seen, 1)).answer(413, "<html>Request Entity Too Large</html>");
  expect(await foreign).toMatchObject({
    code: BAD_REPLY,
    status: 413,
    traceId: "0af7651916cd43dd8448eb211c80319c",
  });
});

test("a slow upload continues, a stalled one times out", async () => {
  vi.useFakeTimers();
  const seen = stubUploads();
  const fault = faultOf(upload("/upload", aForm(), () => {}));
  await vi.advanceTimersByTimeAsync(0);
  const sent = seen[0] as SeenUpload;
  for (let part = 1; part <= 5; part += 1) {
    await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS - 1);
    sent.progress(part, 10);
  }
  expect(sent.aborted()).toBe(false);
  await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS);
  expect(await fault).toMatchObject({ code: TIMED_OUT });
  expect(sent.aborted()).toBe(true);
});
