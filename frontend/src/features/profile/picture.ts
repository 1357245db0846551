/** In pixels: twice the size that the server keeps (512), so that its own resampling has enough detail. */
const MAX_SIDE_PX = 1024;
const QUALITY = 0.85;
/** The server's limit. */
export const MAX_BYTES = 10 * 1024 * 1024;

function toJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(bitmap.width, bitmap.height));
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
 * Prepares a photograph for upload: upright and at most 1024 px, which is some 200 kB instead of several MB of the
 * player's data bundle. A file that the browser cannot decode, or that would grow, is sent unchanged.
 */
export async function prepareForUpload(file: File): Promise<File> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
    try {
      const jpeg = await toJpeg(bitmap);
      return jpeg && jpeg.size < file.size ? new File([jpeg], "picture.jpg", { type: jpeg.type }) : file;
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}
