import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clearStorage, currentPlayer, savePlayer, saveSession } from "@/lib/session/session";
import { usePlayer } from "@/lib/session/useSession";
import { toast } from "@/lib/toast";
import { eventually } from "@/test/eventually";
import { aPlayer, aSession } from "@/test/players";
import { renderPage } from "@/test/render";
import { PREVIEW_URL, type SeenUpload, stubUploads } from "@/test/uploads";
import { Avatar } from "@/ui/Avatar";
import { ProfilePicture } from "./ProfilePicture";

const STORED = {
  url: "/media/profile/p1/new.jpg",
  thumbnailUrl: null,
  width: null,
  height: null,
  blurHash: null,
};

const picture = new File(["pixels"], "me.png", { type: "image/png" });

/** The picture, and a second place that shows it. */
function Page() {
  const player = usePlayer();
  return player ? (
    <>
      <ProfilePicture player={player} />
      <span data-testid="elsewhere">
        <Avatar src={player.profilePic} name={player.name} size={48} />
      </span>
    </>
  ) : null;
}

const chooser = () => screen.getByLabelText<HTMLInputElement>("Change your picture");

async function sent(seen: SeenUpload[], index = 0): Promise<SeenUpload> {
  await eventually(() => expect(seen).toHaveLength(index + 1));
  return seen[index] as SeenUpload;
}

beforeEach(() => {
  saveSession(aSession());
  savePlayer(aPlayer());
  vi.spyOn(toast, "success").mockImplementation(() => {});
});
afterEach(() => vi.unstubAllGlobals());

describe("a new picture", () => {
  test("is uploaded at once, reports progress, and is then shown everywhere", async () => {
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    expect(chooser()).toHaveAttribute("accept", "image/*");
    await user.upload(chooser(), picture);
    const upload = await sent(seen);
    expect(upload.path).toBe("/upload");
    expect(Object.fromEntries(upload.form)).toEqual({
      id: "p1",
      type: "PROFILE_PICTURE",
      file: expect.any(File),
    });
    upload.progress(40, 100);
    const ring = await screen.findByRole("progressbar", { name: "Uploading your picture" });
    await eventually(() => expect(ring).toHaveAttribute("aria-valuenow", "40"));

    upload.answer(200, { payload: STORED });
    await eventually(() => expect(screen.queryByRole("progressbar")).toBeNull());
    expect(toast.success).toHaveBeenCalledExactlyOnceWith("Upload successful.");
    expect(currentPlayer()?.profilePic).toBe("/media/profile/p1/new.jpg");
    const elsewhere = screen.getByTestId("elsewhere").querySelector("img");
    expect(elsewhere).toHaveAttribute("src", "/media/profile/p1/new.jpg");
  });

  test("is shown while it is uploaded, and gives way to the old one when that fails", async () => {
    savePlayer(aPlayer({ profilePic: "/media/profile/p1/old.jpg" }));
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    const shown = () => chooser().parentElement?.querySelector("img")?.getAttribute("src");
    await user.upload(chooser(), picture);
    const upload = await sent(seen);
    await eventually(() => expect(shown()).toBe(PREVIEW_URL));
    upload.loseLine();
    await eventually(() => expect(shown()).toBe("/media/profile/p1/old.jpg"));
    expect(URL.revokeObjectURL).toHaveBeenCalledExactlyOnceWith(PREVIEW_URL);
  });

  test("does not overwrite a profile that changed during the upload", async () => {
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    await user.upload(chooser(), picture);
    const upload = await sent(seen);
    savePlayer(aPlayer({ username: "kamau" }));
    upload.answer(200, { payload: STORED });
    await eventually(() => expect(currentPlayer()?.profilePic).toBe("/media/profile/p1/new.jpg"));
    expect(currentPlayer()?.username).toBe("kamau");
  });

  test("that arrives after the player signed out is not stored", async () => {
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    await user.upload(chooser(), picture);
    const upload = await sent(seen);
    clearStorage();
    upload.answer(200, { payload: STORED });
    await eventually(() => expect(toast.success).toHaveBeenCalled());
    expect(sessionStorage).toHaveLength(0);
  });
});

describe("a picture that cannot be uploaded", () => {
  test("for lack of a connection is sent again on Retry", async () => {
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    await user.upload(chooser(), picture);
    (await sent(seen)).loseLine();
    expect(await screen.findByRole("alert")).toHaveTextContent("We could not reach PlayOn.");
    await user.click(screen.getByRole("button", { name: "Retry" }));
    const again = await sent(seen, 1);
    expect(screen.queryByRole("alert")).toBeNull();
    again.answer(200, { payload: STORED });
    await eventually(() => expect(currentPlayer()?.profilePic).toBe("/media/profile/p1/new.jpg"));
  });

  test.each([
    [
      413,
      { statusMessage: "File size cannot exceed 10MB", payload: { code: "FILE_TOO_LARGE" } },
      /exceed 10MB/,
    ],
    [413, "<html>Request Entity Too Large</html>", /^File size cannot exceed 10MB$/],
    [
      415,
      {
        statusMessage: "That picture is too large. Please choose a smaller one.",
        payload: { code: "UNSUPPORTED_MEDIA" },
      },
      /^That picture is too large\. Please choose a smaller one\.$/,
    ],
    [415, "<html>Unsupported Media Type</html>", /choose a JPEG, PNG, WebP or GIF picture/],
  ])("because of a %i shows the reason and no Retry", async (status, body, text) => {
    const user = userEvent.setup();
    const seen = stubUploads();
    renderPage(<Page />);
    await user.upload(chooser(), picture);
    (await sent(seen)).answer(status, body);
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
    expect(currentPlayer()?.profilePic).toBeNull();
  });

  test.each([
    [new File(["%PDF"], "cv.pdf", { type: "application/pdf" }), /We cannot read that file/],
    [new File([new Uint8Array(10 * 1024 * 1024 + 1)], "raw.tiff", { type: "image/tiff" }), /exceed 10MB/],
  ])("because of its type or size is refused before it is sent", async (file, text) => {
    const user = userEvent.setup({ applyAccept: false });
    const seen = stubUploads();
    renderPage(<Page />);
    await user.upload(chooser(), file);
    expect(await screen.findByRole("alert")).toHaveTextContent(text);
    expect(seen).toHaveLength(0);
  });
});
