import { AtSign, Cake, Mail, Phone, UserRound, UsersRound } from "lucide-react";
import {
  displayOf,
  editOf,
  FIELDS,
  type Field,
  firstMissing,
  labelOf,
  placeholderOf,
} from "@/features/profile/model";
import { t } from "@/lib/i18n/i18n";
import { useOverlay } from "@/lib/navigation";
import type { Player } from "@/lib/session/player";
import { lazyOverlay } from "@/ui/LazyOverlay";
import { RowButton, Rows } from "@/ui/Rows";
import { Tile } from "@/ui/Tile";
import styles from "./Profile.module.css";

const EditDialog = lazyOverlay(async () => (await import("./EditDialog")).EditDialog);

const icons: Record<Field, typeof Mail> = {
  name: UserRound,
  username: AtSign,
  email: Mail,
  dob: Cake,
  gender: UsersRound,
  phone: Phone,
};

/** The six profile fields. Tapping one opens its dialog; while details are missing, one leads to the next. */
export function ProfileFields({ player }: { readonly player: Player }) {
  const overlay = useOverlay();
  const edited = FIELDS.find((field) => overlay.current === editOf(field));
  const next = firstMissing(player, edited);
  return (
    <>
      <Rows label={t("profile.title")}>
        {FIELDS.map((each) => {
          const value = player[each];
          const Icon = icons[each];
          return (
            <RowButton
              key={each}
              icon={
                <Tile tone={value === null ? "mango" : "plain"}>
                  <Icon size={22} strokeWidth={2.25} aria-hidden="true" />
                </Tile>
              }
              title={labelOf(each)}
              detail={
                value === null ? (
                  <span className={styles.unset}>{placeholderOf(each)}</span>
                ) : (
                  displayOf(each, value)
                )
              }
              onClick={() => overlay.show(editOf(each))}
            />
          );
        })}
      </Rows>
      {edited ? (
        <EditDialog
          player={player}
          field={edited}
          onClose={overlay.hide}
          onNext={next && (() => overlay.show(editOf(next)))}
        />
      ) : null}
    </>
  );
}
