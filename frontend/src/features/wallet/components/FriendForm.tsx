import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { type Friend, findFriend } from "@/features/wallet/api/friends";
import { Fault } from "@/lib/http/fault";
import { t } from "@/lib/i18n/i18n";
import { usePlayer } from "@/lib/session/useSession";
import { messageOf } from "@/lib/toast";
import { Button } from "@/ui/Button";
import { DumaCard } from "@/ui/DumaCard";
import { Screen } from "@/ui/Screen";
import { TextField } from "@/ui/TextField";
import styles from "./FriendForm.module.css";

interface FriendFormProps {
  readonly title: string;
  readonly back: string;
  readonly onFound: (friend: Friend) => Promise<void>;
}

function problemOf(error: Error | null): string | undefined {
  if (!error) return undefined;
  return error instanceof Fault && error.code === "USER_NOT_FOUND" ? t("boost.notFound") : messageOf(error);
}

/** Asks for the friend's username and looks it up. */
export function FriendForm({ title, back, onFound }: FriendFormProps) {
  const formId = useId();
  const own = usePlayer();
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string>();
  // People write usernames as they see them, with `@` in front.
  const username = typed.trim().replace(/^@/, "");
  const lookup = useMutation({
    mutationFn: findFriend,
    meta: { quiet: true },
    onSuccess: (friend) =>
      friend.id === own?.id || friend.id === own?.uid ? setProblem(t("boost.self")) : onFound(friend),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (lookup.isPending) return;
    lookup.reset();
    if (username === "") return setProblem(t("boost.missing"));
    if (username.toLowerCase() === own?.username?.toLowerCase()) return setProblem(t("boost.self"));
    setProblem(undefined);
    lookup.mutate(username);
  };
  return (
    <Screen
      title={title}
      back={back}
      footer={
        <Button type="submit" form={formId} wide busy={lookup.isPending}>
          {t("boost.continue")}
        </Button>
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        <DumaCard world="maneno" pose="cheer">
          <h2 className={styles.title}>{t("boost.title")}</h2>
          <p>{t("boost.text")}</p>
        </DumaCard>
        <TextField
          label={t("boost.username")}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          placeholder={t("boost.example")}
          error={problem ?? problemOf(lookup.error)}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
        />
      </form>
    </Screen>
  );
}
