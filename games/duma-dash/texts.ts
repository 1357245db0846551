import type { Text } from "@sdk/types";

export const tagline: Text = {
  en: "Run the savanna as long as you dare.",
  sw: "Kimbia mbugani kadiri unavyothubutu.",
};
export const tapToJump: Text = { en: "Tap to jump", sw: "Gusa ili kuruka" };
export const tapTwice: Text = { en: "Tap again in the air: higher", sw: "Gusa tena ukiwa hewani: juu zaidi" };
export const swipeToSlide: Text = { en: "Swipe down to slide", sw: "Telezesha chini kupita chini" };
export const jump: Text = { en: "Jump, again in the air", sw: "Ruka, tena hewani" };
export const slide: Text = { en: "Slide", sw: "Teleza" };
export const nearMiss: Text = { en: "Near miss", sw: "Ponea chupuchupu" };
export const yourBest: Text = { en: "your best", sw: "bora yako" };
export const livesLeft: Record<number, Text> = {
  2: { en: "Two lives left", sw: "Umebaki na maisha mawili" },
  1: { en: "Last life", sw: "Maisha ya mwisho" },
  0: { en: "The run is over", sw: "Mbio zimeisha" },
};
export const dawn: Text = { en: "You ran till dawn!", sw: "Umekimbia hadi alfajiri!" };
export const seconds: Text = { en: "seconds", sw: "sekunde" };
export const misses: Text = { en: "near misses", sw: "chupuchupu" };
export const mangoes: Text = { en: "mangoes", sw: "maembe" };
