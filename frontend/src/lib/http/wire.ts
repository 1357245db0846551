import * as z from "zod/mini";
import type { Reply } from "@/lib/http/envelope";
import { BAD_REPLY, Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";

/** Validates a payload, so that code behind an `api.ts` can rely on its shape. @throws Fault BAD_REPLY. */
export function parsePayload<S extends z.ZodMiniType>(shape: S, reply: Reply<unknown>): z.output<S> {
  const parsed = z.safeParse(shape, reply.payload);
  if (parsed.success) return parsed.data;
  throw new Fault(t("fault.badReply"), { code: BAD_REPLY, status: reply.statusCode });
}
