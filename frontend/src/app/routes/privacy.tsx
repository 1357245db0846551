import { privacy } from "@/app/locales/legal.en";
import { Legal } from "./legal";

export function Component() {
  return <Legal text={privacy} />;
}
