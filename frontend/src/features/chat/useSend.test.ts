import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { clearStorage, saveSession } from "@/lib/session/session";
import { eventually } from "@/test/eventually";
import { type Seen, stubGateway } from "@/test/gateway";
import { aMessage } from "@/test/messages";
import { aSession } from "@/test/players";
import { type SeenUpload, stubUploads } from "@/test/uploads";
import { draftIn, keepDraft, MAX_UNSENT, unsentIn } from "./unsent";
import { useSend } from "./useSend";

type Answer = { statusCode: number; payload?: unknown } | Error;

beforeEach(() => saveSession(aSession()));

/** Stubs a server whose replies the test gives, in the order of the calls. */
function stubSending() {
  const answers: ((answer: Answer) => void)[] = [];
  const calls = stubGateway({
    "POST /chats/send": () => new Promise<Answer>((resolve) => answers.push(resolve)),
  });
  const ids = () => calls.map(({ body }: Seen) => (body as { clientMessageId: string }).clientMessageId);
  const answer = async (place: number, with_: Answer) => {
    await eventually(() => expect(answers.length).toBeGreaterThan(place));
    await act(async () => answers[place]?.(with_));
  };
  return { calls, ids, answer };
}

function open(newest = 6) {
  const sent: string[] = [];
  const failures: Error[] = [];
  const callbacks = {
    onSent: ({ id }: { id: string }) => void sent.push(id),
    onUploadFailed: (error: Error) => void failures.push(error),
    onRefused: () => {},
  };
  return { ...renderHook(() => useSend("lobby", newest, callbacks)), sent, failures };
}

const stored = (seq: number) => ({ statusCode: 200, payload: aMessage(seq) });
const lost = new TypeError("Failed to fetch");

test("a message that was not sent is logged, sent again under the same id, and forgotten then", async () => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { ids, answer } = stubSending();
  const { result, sent } = open();
  act(() => void result.current.send("Habari", null));
  await answer(0, lost);
  await eventually(() => expect(result.current.outgoing[0]?.isFailed).toBe(true));
  act(() => result.current.outgoing.forEach(result.current.retry));
  expect(result.current.outgoing[0]?.isFailed).toBe(false);
  expect(log).toHaveBeenCalledOnce();
  await answer(1, stored(7));
  await eventually(() => expect(result.current.outgoing).toEqual([]));
  expect(sent).toEqual(["m7"]);
  expect(ids()[1]).toBe(ids()[0]);
  expect(unsentIn("lobby")).toEqual([]);
});

test("a message that was lost with the connection is there again after a reload, under the same id", async () => {
  const { ids, answer } = stubSending();
  const first = open();
  act(() => void first.result.current.send("Habari", null));
  // The offline screen takes the place of the room before the call has failed.
  first.unmount();
  await answer(0, lost);
  const { result, sent } = open(9);
  await eventually(() => expect(result.current.outgoing[0]?.isFailed).toBe(true));
  const [message] = result.current.outgoing;
  expect(message).toMatchObject({ id: ids()[0], text: "Habari", chatType: "TEXT", after: 6 });
  act(() => result.current.outgoing.forEach(result.current.retry));
  await answer(1, stored(10));
  await eventually(() => expect(sent).toEqual(["m10"]));
  expect(ids()[1]).toBe(ids()[0]);
  expect(unsentIn("lobby")).toEqual([]);
});

describe("a file", () => {
  const file = new File(["goal"], "goal.png", { type: "image/png" });

  /** Sends the file, and returns its upload. */
  async function sendFile() {
    const uploads = stubUploads();
    const sending = stubSending();
    const room = open();
    act(() => void room.result.current.send("", file));
    await eventually(() => expect(uploads).toHaveLength(1));
    expect(sending.calls).toEqual([]);
    return { ...sending, ...room, upload: uploads[0] as SeenUpload };
  }

  test("is uploaded first, and its URL is the message", async () => {
    const { upload, calls, answer, sent } = await sendFile();
    expect(upload.form.get("type")).toBe("CHAT_MEDIA");
    const uploaded = {
      url: "/media/goal.png",
      thumbnailUrl: null,
      blurHash: null,
      width: null,
      height: null,
    };
    await act(async () => upload.answer(200, { payload: uploaded }));
    await answer(0, stored(7));
    await eventually(() => expect(sent).toEqual(["m7"]));
    expect(calls.map(({ body }) => body)).toMatchObject([{ message: "/media/goal.png", chatType: "IMAGE" }]);
  });

  test("that could not be uploaded sends nothing, and is not kept", async () => {
    const { upload, calls, result, failures } = await sendFile();
    expect(result.current.outgoing).toHaveLength(1);
    await act(async () => upload.loseLine());
    await eventually(() => expect(result.current.outgoing).toEqual([]));
    expect(failures).toHaveLength(1);
    expect(calls).toEqual([]);
    expect(unsentIn("lobby")).toEqual([]);
  });
});

test("a screen that returns awaits the call that is still on its way", async () => {
  const { calls, answer } = stubSending();
  const first = open();
  act(() => void first.result.current.send("Habari", null));
  first.unmount();
  const { result, sent } = open();
  expect(result.current.outgoing[0]?.isFailed).toBe(false);
  await answer(0, stored(7));
  await eventually(() => expect(result.current.outgoing).toEqual([]));
  expect(sent).toEqual(["m7"]);
  expect(calls).toHaveLength(1);
});

test("a message that the player discards does not come back", async () => {
  const { ids, answer } = stubSending();
  const first = open();
  act(() => void first.result.current.send("Habari", null));
  await answer(0, lost);
  await eventually(() => expect(first.result.current.outgoing[0]?.isFailed).toBe(true));
  act(() => first.result.current.discard(ids()[0] ?? ""));
  first.unmount();
  expect(open().result.current.outgoing).toEqual([]);
});

test("the newest messages of a room are kept, up to a limit", async () => {
  stubGateway({ "POST /chats/send": () => lost });
  const { result } = open();
  for (let n = 1; n <= MAX_UNSENT + 1; n += 1) await act(() => result.current.send(`text ${n}`, null));
  const texts = unsentIn("lobby").map(({ text }) => text);
  expect(texts).toHaveLength(MAX_UNSENT);
  expect([texts[0], texts.at(-1)]).toEqual(["text 2", `text ${MAX_UNSENT + 1}`]);
});

test("what a player wrote is not shown to the next one, and a logout removes it", async () => {
  stubGateway({ "POST /chats/send": () => lost });
  const { result } = open();
  await act(() => result.current.send("Habari", null));
  keepDraft("lobby", "Haba");
  saveSession(aSession({ uid: "p2" }));
  expect([unsentIn("lobby"), draftIn("lobby")]).toEqual([[], ""]);
  saveSession(aSession());
  expect([unsentIn("lobby").length, draftIn("lobby")]).toEqual([1, "Haba"]);
  clearStorage();
  keepDraft("lobby", "Habari");
  expect(sessionStorage).toHaveLength(0);
  saveSession(aSession());
  expect([unsentIn("lobby"), draftIn("lobby")]).toEqual([[], ""]);
});
