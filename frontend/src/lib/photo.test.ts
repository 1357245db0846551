import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { shrinkPhoto } from "./photo";

const photograph = new File(["x".repeat(4_000)], "IMG_0001.HEIC", { type: "image/heic" });
const drawImage = vi.fn();
const close = vi.fn();
let encoded: Blob | null;
let drawn: { width: number; height: number; type: string | undefined };

/** Stubs a browser that decodes every picture to this size. */
function decodes(width: number, height: number) {
  const decode = vi.fn(async () => ({ width, height, close }));
  vi.stubGlobal("createImageBitmap", decode);
  return decode;
}

// jsdom has no canvas, so the calls to it are checked instead.
beforeEach(() => {
  drawImage.mockReset();
  close.mockReset();
  encoded = new Blob(["jpeg"], { type: "image/jpeg" });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({
    drawImage,
    fillRect: () => {},
  } as unknown as GPUCanvasContext);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type,
  ) {
    drawn = { width: this.width, height: this.height, type };
    done(encoded);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("a photograph", () => {
  test.each([
    [4032, 3024, 1024, 768],
    [3000, 4000, 768, 1024],
    [1024, 1024, 1024, 1024],
    [640, 480, 640, 480],
    [9000, 2, 1024, 1],
  ])("of %i by %i is sent as a JPEG of %i by %i", async (width, height, expectedWidth, expectedHeight) => {
    const decode = decodes(width, height);
    const sent = await shrinkPhoto(photograph, 1024);
    expect(decode).toHaveBeenCalledWith(photograph, { imageOrientation: "from-image" });
    expect(drawn).toEqual({ width: expectedWidth, height: expectedHeight, type: "image/jpeg" });
    expect(drawImage).toHaveBeenCalledWith(expect.anything(), 0, 0, expectedWidth, expectedHeight);
    expect(sent).toMatchObject({ name: "picture.jpg", type: "image/jpeg", size: 4 });
    // Decoded pixels need many times the file's memory, so they are released at once.
    expect(close).toHaveBeenCalledOnce();
  });

  test("is sent unchanged when it is a JPEG that fits", async () => {
    const fitting = new File(["x".repeat(4_000)], "IMG_0002.JPG", { type: "image/jpeg" });
    decodes(1024, 768);
    expect(await shrinkPhoto(fitting, 1024)).toBe(fitting);
    expect(close).toHaveBeenCalledOnce();
    decodes(1025, 768);
    expect(await shrinkPhoto(fitting, 1024)).not.toBe(fitting);
  });

  test("is sent unchanged when the browser cannot decode it", async () => {
    vi.stubGlobal("createImageBitmap", () =>
      Promise.reject(new DOMException("no codec", "InvalidStateError")),
    );
    expect(await shrinkPhoto(photograph, 1024)).toBe(photograph);
  });

  test("is sent unchanged when the browser has no decoder", async () => {
    vi.stubGlobal("createImageBitmap", undefined);
    expect(await shrinkPhoto(photograph, 1024)).toBe(photograph);
  });

  test("is sent unchanged when encoding fails or makes it larger", async () => {
    decodes(64, 64);
    encoded = new Blob(["x".repeat(5_000)], { type: "image/jpeg" });
    expect(await shrinkPhoto(photograph, 1024)).toBe(photograph);
    encoded = null;
    expect(await shrinkPhoto(photograph, 1024)).toBe(photograph);
    expect(close).toHaveBeenCalledTimes(2);
  });
});
