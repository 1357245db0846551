import "./dash.css";
import { startGame } from "@sdk/shell";
import type { Game } from "@sdk/types";
import { dash } from "@sdk/worlds";
import { jump, slide, swipeToSlide, tagline, tapToJump, tapTwice } from "../texts";
import { doubleJumpPicture, jumpPicture, slidePicture } from "./gestures";
import { DashView } from "./view";

const game: Game = {
  slug: "duma-dash",
  title: "Duma Dash",
  tagline,
  world: dash,
  gestures: [
    { picture: jumpPicture, text: tapToJump },
    { picture: doubleJumpPicture, text: tapTwice },
    { picture: slidePicture, text: swipeToSlide },
  ],
  keys: [
    ["Space ↑", jump],
    ["↓", slide],
  ],
  practiceSeed: "daily",
  ghost: true,
  createView: (host) => new DashView(host),
};

void startGame(game);
