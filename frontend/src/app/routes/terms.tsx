import { terms } from "@/app/locales/legal.en";
import { Legal } from "./legal";

export function Component() {
  return <Legal text={terms} />;
}
