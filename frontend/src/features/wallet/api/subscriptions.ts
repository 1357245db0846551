import * as z from "zod/mini";
import { Subscription as subscription } from "@/gen/api/subscription";
import { SubscriptionPackage as subscriptionPackage } from "@/gen/api/subscriptionPackage";
import { asGuest, asPlayer } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type Package = z.infer<typeof subscriptionPackage>;
export type Subscription = z.infer<typeof subscription>;

export async function fetchPackages(): Promise<Package[]> {
  return parsePayload(z.array(subscriptionPackage), await asGuest("/subscription-packages/list"));
}

export async function fetchSubscriptions(): Promise<Subscription[]> {
  return parsePayload(z.array(subscription), await asPlayer("/subscriptions/list"));
}
