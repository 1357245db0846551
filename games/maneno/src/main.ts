import "./style.css";
import "./result.css";
import { startGame } from "@sdk/shell";
import { maneno } from "@sdk/worlds";
import { gestureTexts, keyTexts, levelNames, tagline } from "../texts";
import artUrl from "./art.svg?url";
import { chainPicture, dragPicture, playPicture } from "./pictures";
import { ManenoView } from "./view";

void startGame({
  slug: "maneno",
  title: "Maneno",
  tagline,
  world: maneno,
  art: artUrl,
  gestures: [
    { picture: dragPicture, text: gestureTexts[0] },
    { picture: playPicture, text: gestureTexts[1] },
    { picture: chainPicture, text: gestureTexts[2] },
  ],
  levels: [
    { level: 0, name: levelNames[0] },
    { level: 1, name: levelNames[1] },
  ],
  keys: keyTexts,
  createView: (host) => new ManenoView(host),
});
