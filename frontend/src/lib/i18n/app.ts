import { speak } from "@/lib/i18n/i18n";
import { app } from "@/locales/en.app";

// Imported by whatever opens the app behind the first view, and thereby spoken before it renders.
speak(app, "en");
