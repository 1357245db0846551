import { Picker } from "./picker";

export function Component() {
  return <Picker type="currency" />;
}
