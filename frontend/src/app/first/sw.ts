import { texts as app } from "@/app/locales/first.sw";
import { texts as lib } from "@/lib/locales/sw";
import { texts as ui } from "@/ui/locales/sw";

/** One file for all that the first view says, so that it is one request. */
export const texts = { ...lib, ...ui, ...app };
