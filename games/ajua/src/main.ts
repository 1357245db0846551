import { startGame } from "@sdk/shell";
import { ajua } from "@sdk/worlds";
import "./style.css";
import { CATCH, HOLD, SOW } from "./art";
import art from "./art.svg";
import { AjuaView, isCompact } from "./view";

startGame({
  slug: "ajua",
  title: "Ajua",
  tagline: {
    en: "Sow, catch, and beat the computer to 33 seeds",
    sw: "Panda, kamata, uishinde kompyuta hadi mbegu 33",
  },
  world: ajua,
  art,
  gestures: [
    {
      picture: SOW,
      text: {
        en: "Tap a pit on your side: its seeds are sown one by one",
        sw: "Gusa shimo lako: mbegu zinapandwa moja moja",
      },
    },
    {
      picture: HOLD,
      text: {
        en: "Hold a pit to see where the last seed falls. Slide away to choose another",
        sw: "Shikilia shimo uone mbegu ya mwisho itaangukia wapi. Telezesha kuchagua jingine",
      },
    },
    {
      picture: CATCH,
      text: {
        en: "Last seed in your empty pit? You catch the pit across",
        sw: "Mbegu ya mwisho kwenye shimo lako tupu? Unakamata shimo la mkabala",
      },
    },
  ],
  keys: [
    ["↑ ↓", { en: "Choose a pit", sw: "Chagua shimo" }],
    ["Enter", { en: "Sow", sw: "Panda" }],
  ],
  ownScore: isCompact(),
  createView: (host) => new AjuaView(host),
});
