import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { type InputHTMLAttributes, useEffect } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { updateProfile } from "@/features/profile/api/requests";
import {
  displayOf,
  type Field,
  firstMissing,
  GENDERS,
  labelOf,
  latestBirthday,
  MAX_NAME_LENGTH,
  schemaOf,
} from "@/features/profile/model";
import { savePlayerIfCurrent } from "@/features/profile/savePlayerIfCurrent";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import type { Player } from "@/lib/session/player";
import { messageOf, toast } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { SelectField } from "@/ui/SelectField";
import { SheetFooter } from "@/ui/SheetFooter";
import { TextField } from "@/ui/TextField";
import styles from "./Profile.module.css";

function inputOf(field: Field): InputHTMLAttributes<HTMLInputElement> {
  switch (field) {
    case "name":
      return { autoComplete: "name", maxLength: MAX_NAME_LENGTH };
    case "username":
      return { autoComplete: "username", autoCapitalize: "none", spellCheck: false };
    case "email":
      return { type: "email", inputMode: "email", autoComplete: "email", autoCapitalize: "none" };
    case "dob":
      return { type: "date", autoComplete: "bday", max: latestBirthday(new Date()) };
    case "phone":
      return { type: "tel", inputMode: "tel", autoComplete: "tel", placeholder: t("profile.phone.example") };
    case "gender":
      return {};
  }
}

function hintOf(field: Field): string | undefined {
  switch (field) {
    case "username":
      return t("profile.username.hint");
    case "dob":
      return t("profile.dob.hint");
    // The text says so because players expect the opposite: these values are contact details and do not change how they
    // sign in.
    case "email":
    case "phone":
      return t("profile.contact.hint");
    case "name":
    case "gender":
      return undefined;
  }
}

function useSave(uid: string, field: Field) {
  return useMutation({
    mutationFn: (value: string) => updateProfile(uid, field, value),
    onSuccess: (player) => {
      savePlayerIfCurrent(player);
      if (firstMissing(player) === undefined) toast.success(t("profile.updated", { field: labelOf(field) }));
    },
  });
}

interface EditDialogProps {
  readonly player: Player;
  readonly field: Field;
  readonly onClose: () => void;
  /** Goes on to the next missing detail, if there is one. */
  readonly onNext: (() => void) | undefined;
}

/** Edits one field, validated on Okay. A successful save leads to the next missing detail, or closes the dialog. */
export function EditDialog({ player, field, onClose, onNext }: EditDialogProps) {
  return (
    <Dialog onClose={onClose} title={t("profile.edit", { field: labelOf(field) })}>
      <EditForm key={field} player={player} field={field} onSaved={onNext ?? onClose} />
    </Dialog>
  );
}

interface EditFormProps {
  readonly player: Player;
  readonly field: Field;
  readonly onSaved: () => void;
}

function EditForm({ player, field, onSaved }: EditFormProps) {
  const form = useForm<{ value: string }>({
    resolver: zodResolver(z.object({ value: schemaOf(field, new Date()) })),
    defaultValues: { value: player[field] ?? "" },
  });
  // The dialog focuses its first field only when it opens.
  const { setFocus } = form;
  useEffect(() => setFocus("value"), [setFocus]);
  const save = useSave(player.uid, field);
  const error = form.formState.errors.value?.message;
  const refused = (cause: Error) => {
    const named = cause instanceof Fault ? cause.fields[field] : undefined;
    form.setError("value", { message: named ?? messageOf(cause) });
  };
  // The callback belongs to this call, not to the hook: a dialog that was closed meanwhile must not go back again.
  const submit = form.handleSubmit(({ value }) =>
    save.mutate(value, { onSuccess: onSaved, onError: refused }),
  );
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {field === "gender" ? (
        <SelectField
          {...form.register("value")}
          label={labelOf(field)}
          options={GENDERS.map((gender) => ({ value: gender, label: displayOf(field, gender) }))}
          placeholder={t("profile.gender.choose")}
          error={error}
        />
      ) : (
        <TextField
          {...form.register("value")}
          {...inputOf(field)}
          label={labelOf(field)}
          error={error}
          hint={hintOf(field)}
        />
      )}
      <SheetFooter>
        <Button type="submit" wide busy={save.isPending}>
          {t("profile.okay")}
        </Button>
      </SheetFooter>
    </form>
  );
}
