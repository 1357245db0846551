import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { type Draft, phoneProblem } from "@/features/wallet/draft";
import { useBalance } from "@/features/wallet/hooks/useWallet";
import { paymentKinds } from "@/features/wallet/kinds";
import { methodName } from "@/features/wallet/methodName";
import { formatKes } from "@/lib/format";
import { t } from "@/lib/i18n/i18n";
import { barePhone } from "@/lib/phone";
import { TextField } from "@/ui/TextField";
import styles from "./Confirm.module.css";
import { StubFact, Ticket } from "./Ticket";

const schema = z.object({
  phone: z.string().check((context) => {
    const problem = phoneProblem(context.value);
    if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
  }),
});

/** The payment and its method, if no input is needed: by card or from the wallet. */
export function ConfirmTicket({ draft }: { readonly draft: Draft }) {
  const { data: balance } = useBalance();
  const method = methodName({ code: draft.paymentMethod ?? "", name: draft.paymentMethodName ?? "" });
  return (
    <>
      <Ticket kind={kindOf(draft)} amount={draft.amount}>
        <StubFact name={t("pay.confirm.method")}>{method}</StubFact>
        {draft.paymentMethod === "WALLET" && balance ? (
          <StubFact name={t("pay.confirm.left")}>{formatKes(balance.available)}</StubFact>
        ) : null}
      </Ticket>
      {draft.paymentMethod === "CARD" ? <p className={styles.note}>{t("pay.confirm.card")}</p> : null}
    </>
  );
}

/** The title of a payment: a package's name for a subscription. */
function kindOf({ type, packageName }: Draft): string {
  const label = t(paymentKinds[type].label);
  return packageName ? `${label} · ${packageName}` : label;
}

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
export function ConfirmForm({ draft, methodName: method, phone, formId, onPay }: ConfirmFormProps) {
  const heading = useId();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { phone } });
  return (
    <form
      id={formId}
      className={styles.confirm}
      noValidate
      aria-labelledby={heading}
      onSubmit={form.handleSubmit((values) => onPay(barePhone(values.phone)))}
    >
      <Ticket kind={kindOf(draft)} amount={draft.amount} amountId={heading}>
        <StubFact name={t("pay.confirm.method")}>{method}</StubFact>
      </Ticket>
      <TextField
        {...form.register("phone")}
        label={t("pay.confirm.phone")}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={t("profile.phone.example")}
        hint={t(draft.type === "WITHDRAWAL" ? "pay.confirm.hintOut" : "pay.confirm.hint")}
        error={form.formState.errors.phone?.message}
      />
    </form>
  );
}
