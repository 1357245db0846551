// Draws test pictures in the browser, so that no image files are stored.

/** A picture of the given type, half red and half blue. */
export async function drawPicture(page, type, width = 800, height = 600) {
  const base64 = await page.evaluate(
    async ([kind, w, h]) => {
      const canvas = new OffscreenCanvas(w, h);
      const pen = canvas.getContext("2d");
      pen.fillStyle = "#dc1414";
      pen.fillRect(0, 0, w, h);
      pen.fillStyle = "#1414dc";
      pen.fillRect(w / 2, 0, w / 2, h);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: kind })).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [type, width, height],
  );
  return Buffer.from(base64, "base64");
}
