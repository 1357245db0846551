import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { phoneProblem } from "@/features/wallet/draft";
import { t } from "@/lib/i18n/i18n";
import { barePhone } from "@/lib/phone";
import { FieldNote, TextField } from "@/ui/TextField";

const schema = z.object({
  phone: z.string().check((context) => {
    const problem = phoneProblem(context.value);
    if (problem) context.issues.push({ code: "custom", message: problem, input: context.value });
  }),
});

interface PhoneFormProps {
  /** The form's id, for the submit button in the screen's footer. */
  readonly id: string;
  /** The id of the element that names the form. */
  readonly labelledBy: string;
  /** The number to begin with, which the player may change for this payment. */
  readonly phone: string;
  /** What M-Pesa does with the number. */
  readonly hint: string;
  /** What a payment to the number, as typed so far, has to wait for. */
  readonly noteOf?: (phone: string) => string | undefined;
  /** Called with the number as typed when the player leaves the field or pays. */
  readonly onTyped: (phone: string) => void;
  readonly onPay: (phone: string) => void;
}

/** The M-Pesa number of a payment. */
export function PhoneForm({ id, labelledBy, phone, hint, noteOf, onTyped, onPay }: PhoneFormProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { phone } });
  const submit = form.handleSubmit((values) => {
    onTyped(values.phone);
    onPay(barePhone(values.phone));
  });
  return (
    <form id={id} noValidate aria-labelledby={labelledBy} onSubmit={submit}>
      <TextField
        {...form.register("phone", { onBlur: () => onTyped(form.getValues("phone")) })}
        label={t("pay.confirm.phone")}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        enterKeyHint="go"
        placeholder={t("profile.phone.example")}
        hint={hint}
        error={form.formState.errors.phone?.message}
      />
      {noteOf ? (
        <div role="status">
          <FieldNote id={`${id}-note`} hint={noteOf(form.watch("phone"))} />
        </div>
      ) : null}
    </form>
  );
}
