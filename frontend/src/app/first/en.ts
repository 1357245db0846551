import { texts as app } from "@/app/locales/first.en";
import { texts as lib } from "@/lib/locales/en";
import { texts as ui } from "@/ui/locales/en";

/** One file for all that the first view says, so that it is one request. */
export const texts = { ...lib, ...ui, ...app };
