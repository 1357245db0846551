import { addStrings } from "@/lib/i18n/i18n";
import { app } from "@/locales/en.app";

// Every module that opens the app behind the first view imports this file, so the strings are there before it renders.
addStrings(app, "en");
