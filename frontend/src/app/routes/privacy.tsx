import { LegalScreen } from "./legal";

export function Component() {
  return <LegalScreen name="privacy" />;
}
