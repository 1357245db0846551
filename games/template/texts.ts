import type { Text } from "@sdk/types";

export const tagline: Text = { en: "Hit the drum as the ring meets it.", sw: "Piga ngoma pete inapoigusa." };
export const waitForIt: Text = { en: "Wait for the ring", sw: "Subiri pete" };
export const tap: Text = { en: "Tap when it meets the drum", sw: "Gusa inapokutana na ngoma" };
export const miss: Text = { en: "Missed", sw: "Umekosa" };
