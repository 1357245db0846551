import * as z from "zod/mini";
import { ContactSetting as contactSetting } from "@/gen/api/contactSetting";
import type { SendFeedback } from "@/gen/api/sendFeedback";
import { asGuest } from "@/lib/http/client";
import { parsePayload } from "@/lib/http/wire";

export type ContactSetting = z.infer<typeof contactSetting>;

export async function fetchContacts(): Promise<ContactSetting[]> {
  return parsePayload(z.array(contactSetting), await asGuest("/contact-us/list"));
}

/** A message to the support. A repeat under the same `clientFeedbackId` is stored once. */
export type Feedback = Required<SendFeedback>;

export async function sendFeedback(body: Feedback): Promise<void> {
  await asGuest("/contact-us/feedback", { method: "POST", body });
}
