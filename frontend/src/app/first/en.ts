import { texts as app } from "@/app/locales/first.en";
import { texts as lib } from "@/lib/locales/en";
import { texts as ui } from "@/ui/locales/en";

/** All texts of the first view, in one file for one request. */
export const texts = { ...lib, ...ui, ...app };
