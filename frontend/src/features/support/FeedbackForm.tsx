import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type FieldErrors, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import { keepWithin } from "@/lib/text";
import { clearErrors, messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SheetFooter } from "@/ui/SheetFooter";
import { TextArea } from "@/ui/TextArea";
import { TextField } from "@/ui/TextField";
import { type Feedback, sendFeedback } from "./api";
import styles from "./FeedbackForm.module.css";

const CONFIRM = "feedback";
const SUBJECT_MAX = 120;
const MESSAGE_MAX = 4000;

type Values = Omit<Feedback, "clientFeedbackId">;

const required = (message: string) =>
  z.string().check(z.trim(), z.minLength(1, { error: message, abort: true }));

function feedbackSchema() {
  return z.object({
    email: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, { error: t("support.emailMissing"), abort: true }),
        z.email(t("support.emailInvalid")),
      ),
    subject: required(t("support.subjectMissing")),
    message: required(t("support.messageMissing")),
  });
}

/** The first failing message, in the order of the fields. */
function firstOf(errors: FieldErrors<Values>): string | undefined {
  return errors.email?.message ?? errors.subject?.message ?? errors.message?.message;
}

/** Writes to the support: a form, and a dialog that confirms. */
export function FeedbackForm({ email }: { readonly email: string }) {
  const overlay = useOverlay();
  const [draft, setDraft] = useState<Feedback | null>(null);
  const last = useRef<Feedback | null>(null);
  const form = useForm<Values>({
    resolver: zodResolver(feedbackSchema()),
    defaultValues: { email, subject: "", message: "" },
    // Validate while the player types: an error that disappears when the field is left would move the button during the
    // press.
    reValidateMode: "onChange",
  });
  const sending = useMutation({
    mutationFn: sendFeedback,
    meta: { quiet: true },
    onSuccess: () => {
      last.current = null;
      overlay.hide();
      form.reset({ email: form.getValues("email"), subject: "", message: "" });
      toast.success(t("support.sent"));
    },
    onError: (cause) => {
      overlay.hide();
      toast.error(messageOf(cause));
    },
  });

  const ask = form.handleSubmit(
    (values) => {
      clearErrors();
      const before = last.current;
      const isSame =
        before?.email === values.email &&
        before.subject === values.subject &&
        before.message === values.message;
      // A message that was sent before, and perhaps arrived, keeps its id.
      const next = isSame ? before : { ...values, clientFeedbackId: crypto.randomUUID() };
      last.current = next;
      setDraft(next);
      overlay.show(CONFIRM);
    },
    (errors) => {
      const message = firstOf(errors);
      if (message) toast.error(message);
    },
  );
  const { errors } = form.formState;

  return (
    <>
      <form className={styles.form} noValidate onSubmit={ask} aria-label={t("support.form")}>
        <TextField
          {...form.register("email")}
          label={t("support.email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
        />
        <TextField
          {...form.register("subject")}
          label={t("support.subject")}
          onInput={keepWithin(SUBJECT_MAX)}
          autoComplete="off"
          error={errors.subject?.message}
        />
        <TextArea
          {...form.register("message")}
          label={t("support.message")}
          onInput={keepWithin(MESSAGE_MAX)}
          rows={5}
          error={errors.message?.message}
        />
        <Button type="submit" wide>
          {t("support.send")}
        </Button>
      </form>
      {overlay.current === CONFIRM && draft ? (
        <Dialog
          title={t("support.confirm")}
          description={t("support.confirmLine", { email: draft.email })}
          onClose={overlay.hide}
        >
          <SheetFooter>
            <Button wide busy={sending.isPending} onClick={() => sending.mutate(draft)}>
              {t("support.submit")}
            </Button>
            <Button variant="quiet" wide onClick={overlay.hide}>
              {t("support.edit")}
            </Button>
          </SheetFooter>
        </Dialog>
      ) : null}
    </>
  );
}
