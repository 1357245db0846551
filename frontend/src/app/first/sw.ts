import { texts as app } from "@/app/locales/first.sw";
import { texts as lib } from "@/lib/locales/sw";
import { texts as ui } from "@/ui/locales/sw";

/** All texts of the first view, in one file for one request. */
export const texts = { ...lib, ...ui, ...app };
