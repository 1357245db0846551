// These paths are not in `paths.ts`, which is part of the first view.
import { paths } from "@/app/paths";

export const accountPaths = {
  spending: `${paths.account}/spending`,
  data: `${paths.account}/data`,
  phones: `${paths.account}/phones`,
} as const;
