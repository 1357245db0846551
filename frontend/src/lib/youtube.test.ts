import { expect, test } from "vitest";
import { youtubeId } from "./youtube";

const ID = "dQw4w9WgXcQ";

test.each([
  `https://www.youtube.com/watch?v=${ID}`,
  `https://youtube.com/watch?list=PL1&v=${ID}&t=10s`,
  `http://m.youtube.com/watch?v=${ID}#t=4`,
  `https://music.youtube.com/watch?v=${ID}`,
  `https://youtu.be/${ID}`,
  `https://youtu.be/${ID}?si=abc&t=30`,
  `https://www.youtube.com/embed/${ID}?rel=0`,
  `https://www.youtube-nocookie.com/embed/${ID}`,
  `https://www.youtube.com/shorts/${ID}`,
  `https://www.youtube.com/shorts/${ID}/`,
  `https://youtube.com/live/${ID}?feature=share`,
  `https://www.youtube.com/v/${ID}`,
  `youtube.com/watch?v=${ID}`,
  `youtu.be/${ID}`,
  ` https://youtu.be/${ID} `,
  ID,
])("the id of %s is found", (link) => {
  expect(youtubeId(link)).toBe(ID);
});

test.each([
  null,
  undefined,
  "",
  "trailer",
  "https://www.youtube.com/",
  "https://www.youtube.com/@playon",
  "https://www.youtube.com/watch",
  "https://www.youtube.com/watch?v=short",
  `https://www.youtube.com/watch?v=${ID}x`,
  `https://www.youtube.com/playlist?list=${ID}`,
  `https://youtu.be/${ID}%22onload`,
  `https://evil.example/watch?v=${ID}`,
  `https://youtube.com.evil.example/embed/${ID}`,
  `https://evil.example/youtu.be/${ID}`,
  `javascript:alert("${ID}")`,
])("%s is no link to a video", (link) => {
  expect(youtubeId(link)).toBeNull();
});
