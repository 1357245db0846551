import type { Package, Subscription } from "@/features/wallet/api/subscriptions";

/** The tiers, which are the packages' names, from the least to the best. */
export const TIERS = ["bronze", "silver", "gold", "platinum"] as const;
export type Tier = (typeof TIERS)[number];

/** The tier of a package's name; bronze for a package that this version does not know. */
export function tierOf(name: string): Tier {
  const lower = name.trim().toLowerCase();
  return TIERS.find((tier) => tier === lower) ?? "bronze";
}

const rank = ({ name }: { readonly name: string }) => TIERS.indexOf(tierOf(name));

/** The packages from the least to the best. */
export function inOrder(packages: readonly Package[]): readonly Package[] {
  return [...packages].sort((one, other) => rank(one) - rank(other) || one.amount - other.amount);
}

/** When an active package ends; null for one that is not active. The latest end counts when it was bought again. */
export function runsUntil(
  subscriptions: readonly Subscription[] | undefined,
  packageId: string,
  now: number,
): Date | null {
  const ends = (subscriptions ?? [])
    .filter(({ expired, subscriptionPackage }) => !expired && subscriptionPackage.id === packageId)
    .map(({ expiresAt }) => Date.parse(expiresAt))
    .filter((end) => end > now);
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/** The best active subscription. */
export function bestRunning(
  subscriptions: readonly Subscription[] | undefined,
  now: number,
): { readonly name: string; readonly until: Date } | null {
  const [best] = (subscriptions ?? [])
    .filter(({ expired, expiresAt }) => !expired && Date.parse(expiresAt) > now)
    .sort(
      (one, other) =>
        rank(other.subscriptionPackage) - rank(one.subscriptionPackage) ||
        Date.parse(other.expiresAt) - Date.parse(one.expiresAt),
    );
  return best ? { name: best.subscriptionPackage.name, until: new Date(best.expiresAt) } : null;
}
