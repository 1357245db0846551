/** The properties of a picture that its URL contains, before the picture has loaded. */
export interface Shape {
  readonly thumbnail: string;
  readonly width: number;
  readonly height: number;
  readonly blurHash: string;
}

/** `{player}/{name}-{width}x{height}-{BlurHash in hexadecimal digits}.{extension}`, as `/upload` names pictures. */
const SHAPED =
  /^(?<stem>\/media\/chat\/[\da-f-]{36}\/[\da-f]{32}-(?<width>\d{1,5})x(?<height>\d{1,5})-(?<hash>[\da-f]{56}))\.(?<kind>[a-z]+)$/u;

/** The shape of a picture; null for an older URL, or one of another form. */
export function shapeOf(url: string): Shape | null {
  const { stem, width, height, hash, kind } = SHAPED.exec(url)?.groups ?? {};
  if (!stem || !hash || !kind) return null;
  const [across, down] = [Number(width), Number(height)];
  if (across === 0 || down === 0) return null;
  const pairs = hash.match(/../gu) ?? [];
  const blurHash = String.fromCodePoint(...pairs.map((pair) => Number.parseInt(pair, 16)));
  return { thumbnail: `${stem}-t${kind}.jpg`, width: across, height: down, blurHash };
}

/** The narrowest and the widest box of a picture in the list; the rest is cut off there. */
const NARROWEST = 3 / 5;
const WIDEST = 2;

/** The aspect ratio of a picture's box. */
export function placeOf({ width, height }: Shape): number {
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}
