import { texts as app } from "@/app/locales/first.en";
import { addTexts } from "@/lib/i18n/i18n";
import { texts as lib } from "@/lib/locales/en";
import { texts as ui } from "@/ui/locales/en";

addTexts({ ...lib, ...ui, ...app });
