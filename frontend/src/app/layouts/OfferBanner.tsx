import { Download, RefreshCw, X } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { toast } from "@/lib/toast";
import { useUpdatesHeld } from "@/lib/updates";
import { currentOffers, offer, onOffersChange } from "@/pwa/offers";
import { Button, IconButton } from "@/ui/Button";
import styles from "./OfferBanner.module.css";

/** The screens on which the app may ask to be installed: between tasks, never during one. */
const INSTALL_ON: readonly string[] = [paths.home, paths.dashboard, paths.notifications, paths.account];

interface BannerProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action: ReactNode;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

function Banner({ icon, title, text, action, closeLabel, onClose }: BannerProps) {
  return (
    <section className={styles.banner} aria-label={title}>
      <span className={styles.icon}>{icon}</span>
      <div className={styles.words} role="status">
        <p className={styles.title}>{title}</p>
        <p className={styles.text}>{text}</p>
      </div>
      <IconButton label={closeLabel} onClick={onClose}>
        <X strokeWidth={2.25} />
      </IconButton>
      <div className={styles.action}>{action}</div>
    </section>
  );
}

/**
 * 'A new version is ready', outside payments and games; or 'Add to home screen', if the browser can install the app.
 */
export function OfferBanner() {
  const { pathname } = useLocation();
  const offers = useSyncExternalStore(onOffersChange, currentOffers);
  const isHeld = useUpdatesHeld();
  const [later, setLater] = useState<unknown>(null);
  const { update, install } = offers;
  if (update && update !== later && !isHeld) {
    const apply = async () => {
      if (!(await update())) toast.info(t("update.heldElsewhere"));
    };
    return (
      <Banner
        icon={<RefreshCw strokeWidth={2.25} aria-hidden="true" />}
        title={t("update.ready")}
        text={t("update.text")}
        action={
          <Button wide onClick={() => void apply()}>
            {t("update.apply")}
          </Button>
        }
        closeLabel={t("update.later")}
        onClose={() => setLater(() => update)}
      />
    );
  }
  if (install && INSTALL_ON.includes(pathname)) {
    const prompt = () => {
      // Hide the banner first, because the browser's own prompt can be shown only once.
      offer({ install: null });
      void install();
    };
    return (
      <Banner
        icon={<Download strokeWidth={2.25} aria-hidden="true" />}
        title={t("install.title")}
        text={t("install.text")}
        action={
          <Button wide variant="quiet" onClick={prompt}>
            {t("install.title")}
          </Button>
        }
        closeLabel={t("install.later")}
        onClose={() => offer({ install: null })}
      />
    );
  }
  return null;
}
