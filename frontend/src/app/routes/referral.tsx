import { useNavigate } from "react-router";
import { inviteLink } from "@/app/links";
import { paths } from "@/app/paths";
import { Invite } from "@/features/referral/Invite";
import { ReferralForm } from "@/features/referral/ReferralForm";
import { useReferral } from "@/features/referral/useReferral";
import { t } from "@/lib/i18n/i18n";
import { ButtonLink } from "@/ui/Button";
import { Duma } from "@/ui/Duma";
import { Screen } from "@/ui/Screen";
import styles from "./referral.module.css";

/** The step after a first sign-in: redeem a friend's code, or share the player's own code. */
export function Component() {
  const navigate = useNavigate();
  const hasRedeemed = useReferral().data?.redeemed === true;
  return (
    <Screen title={t("referral.title")} back={paths.dashboard}>
      {hasRedeemed ? (
        <>
          <p className={styles.line}>{t("referral.redeemed")}</p>
          <ButtonLink wide to={paths.dashboard} replace>
            {t("referral.continue")}
          </ButtonLink>
        </>
      ) : (
        <>
          <p className={styles.line}>{t("referral.line")}</p>
          <ReferralForm
            onDone={() => void navigate(paths.dashboard, { replace: true, viewTransition: true })}
          />
        </>
      )}
      <div className={styles.own}>
        <Invite linkOf={inviteLink} art={<Duma pose="wave" size={136} />} />
      </div>
    </Screen>
  );
}
