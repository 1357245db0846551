/** Twice what the server keeps (512 px), so that it still has something to choose from. */
const LONGEST_SIDE = 1024;
const QUALITY = 0.85;
/** What the server takes at most. */
export const MOST_BYTES = 10 * 1024 * 1024;

function toJpeg(bitmap: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const paper = canvas.getContext("2d");
  if (!paper) return Promise.resolve(null);
  // A JPEG has no holes: what a picture leaves transparent would come out black.
  paper.fillStyle = "white";
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.imageSmoothingQuality = "high";
  paper.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

/**
 * A photograph as it goes over the player's data bundle: upright, at most 1024 px, some 200 kB instead of several MB.
 * What this browser cannot decode, or what would only grow, goes as it is: the server judges it.
 */
export async function forUpload(file: File): Promise<File> {
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
