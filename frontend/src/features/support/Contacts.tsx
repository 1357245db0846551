import { useQuery } from "@tanstack/react-query";
import { AtSign, Camera, ExternalLink, Mail, MessageCircle, Phone } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { Skeleton } from "@/ui/Skeleton";
import { Tile, type Tone } from "@/ui/Tile";
import styles from "./Contacts.module.css";
import { type Contact, type ContactName, contactOf } from "./contacts";
import { contactsQuery } from "./queries";

const icon = { size: 22, strokeWidth: 2.25, "aria-hidden": true } as const;

const looks: Readonly<Record<ContactName, { readonly tone: Tone; readonly icon: React.ReactNode }>> = {
  Email: { tone: "mango", icon: <Mail {...icon} /> },
  Phone: { tone: "sky", icon: <Phone {...icon} /> },
  Whatsapp: { tone: "mint", icon: <MessageCircle {...icon} /> },
  Instagram: { tone: "coral", icon: <Camera {...icon} /> },
  Twitter: { tone: "plain", icon: <AtSign {...icon} /> },
};

function ContactLink({ contact }: { readonly contact: Contact }) {
  const { name, text, href, isPage } = contact;
  const { tone, icon: picture } = looks[name];
  // A page opens in a new tab; a call and a mail open the phone's own app.
  const elsewhere = isPage ? { target: "_blank", rel: "noopener noreferrer" } : {};
  return (
    <li>
      <a className={styles.contact} href={href} {...elsewhere}>
        <Tile tone={tone}>{picture}</Tile>
        <span className={styles.words}>
          <span className={styles.name}>{t(`support.${name}`)}</span>
          <span className={styles.text}>{text}</span>
        </span>
        {isPage ? <ExternalLink className={styles.mark} size={18} aria-hidden="true" /> : null}
      </a>
    </li>
  );
}

/** The other ways to reach the support. Renders nothing without any: the form is above. */
export function Contacts() {
  const list = useQuery(contactsQuery);
  if (list.isPending) return <Skeleton height={128} radius={20} />;
  const contacts = (list.data ?? []).map(contactOf).filter((contact) => contact !== null);
  if (contacts.length === 0) return null;
  return (
    <section className={styles.contacts} aria-labelledby="contacts">
      <h2 id="contacts" className={styles.title}>
        {t("support.contacts")}
      </h2>
      <ul className={styles.list}>
        {contacts.map((contact) => (
          <ContactLink key={contact.name} contact={contact} />
        ))}
      </ul>
    </section>
  );
}
