import { terms } from "@/locales/en.legal";
import { Legal } from "./legal";

export function Component() {
  return <Legal text={terms} />;
}
