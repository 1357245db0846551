const QUALITY = 0.85;

const fits = (bitmap: ImageBitmap, side: number) => Math.max(bitmap.width, bitmap.height) <= side;

function toJpeg(bitmap: ImageBitmap, side: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  // JPEG has no transparency: without a white background transparent pixels would turn black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/**
 * Rotates a photograph upright and shrinks it to at most `side` pixels, which saves most of the player's mobile data.
 * Returns the file unchanged if it is a JPEG that fits, cannot be decoded, or would grow.
 */
export async function shrinkPhoto(file: File, side: number): Promise<File> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    try {
      if (file.type === "image/jpeg" && fits(bitmap, side)) return file;
      const jpeg = await toJpeg(bitmap, side);
      return jpeg && jpeg.size < file.size ? new File([jpeg], "picture.jpg", { type: jpeg.type }) : file;
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}
