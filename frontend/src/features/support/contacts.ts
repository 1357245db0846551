import { parseUrl } from "@/lib/platform";
import type { ContactSetting } from "./api";

/** The names of the contact settings (specification, section 3). */
const NAMES = ["Email", "Phone", "Whatsapp", "Instagram", "Twitter"] as const;
export type ContactName = (typeof NAMES)[number];

/** A way to reach the support. */
export interface Contact {
  readonly name: ContactName;
  /** The text to show: an address, a number, or the name of a page. */
  readonly text: string;
  readonly href: string;
  /** Whether the link opens a page of another site. */
  readonly isPage: boolean;
}

const EMAIL = /^[\w.%+-]+@[\w-]+(?:\.[\w-]+)+$/u;
const PHONE = /^\+[\d ]{7,24}$/u;

/** "@playon" of https://x.com/playon, else the site's name. */
function pageName(url: URL): string {
  const name = url.pathname.split("/").find((part) => part !== "");
  return name ? `@${decodeURIComponent(name)}` : url.hostname.replace(/^www\./u, "");
}

function page(name: ContactName, value: string): Contact | null {
  const url = parseUrl(value);
  if (url?.protocol !== "https:") return null;
  const text = url.hostname === "wa.me" ? `+${url.pathname.slice(1)}` : pageName(url);
  return { name, text, href: url.href, isPage: true };
}

/** The link of a setting; null if this version does not know it, or its value has another form. */
export function contactOf({ name: wanted, value }: ContactSetting): Contact | null {
  const name = NAMES.find((each) => each === wanted);
  if (!name) return null;
  if (name === "Email") {
    return EMAIL.test(value) ? { name, text: value, href: `mailto:${value}`, isPage: false } : null;
  }
  const digits = value.replaceAll(/\D/gu, "");
  if (name === "Phone") {
    return PHONE.test(value) ? { name, text: value, href: `tel:+${digits}`, isPage: false } : null;
  }
  if (name === "Whatsapp" && PHONE.test(value)) {
    return { name, text: value, href: `https://wa.me/${digits}`, isPage: true };
  }
  return page(name, value);
}
