import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { type Draft, phoneProblem } from "@/features/wallet/draft";
import { paymentKinds } from "@/features/wallet/kinds";
import { t } from "@/lib/i18n/i18n";
import { TextField } from "@/ui/TextField";
import styles from "./Confirm.module.css";
import { StubFact, Ticket } from "./Ticket";

const schema = z.object({
  phone: z.string().check((context) => {
    const problem = phoneProblem(context.value);
    if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
  }),
});

interface ConfirmFormProps {
  readonly draft: Draft;
  readonly methodName: string;
  /** The profile's phone number, which the player may change for this payment. */
  readonly phone: string;
  /** The form's id, for the submit button in the screen's footer. */
  readonly formId: string;
  readonly onPay: (phone: string) => void;
}

/** The payment's amount and method, and the phone number to pay with. */
export function ConfirmForm({ draft, methodName, phone, formId, onPay }: ConfirmFormProps) {
  const heading = useId();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { phone } });
  return (
    <form
      id={formId}
      className={styles.confirm}
      noValidate
      aria-labelledby={heading}
      onSubmit={form.handleSubmit((values) => onPay(values.phone.replace(/[\s-]/g, "")))}
    >
      <Ticket kind={t(paymentKinds[draft.type].label)} amount={draft.amount} amountId={heading}>
        <StubFact name={t("pay.confirm.method")}>{methodName}</StubFact>
      </Ticket>
      <TextField
        {...form.register("phone")}
        label={t("pay.confirm.phone")}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t("profile.phone.example")}
        hint={t("pay.confirm.hint")}
        error={form.formState.errors.phone?.message}
      />
    </form>
  );
}
