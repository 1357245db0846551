import { Eye, Plus } from "lucide-react";
import { Button, ButtonLink, IconButton } from "@/ui/Button";
import { Link } from "@/ui/Link";
import { SelectField } from "@/ui/SelectField";
import { TextField } from "@/ui/TextField";
import styles from "./Gallery.module.css";
import type { Part } from "./part";

const buttons = ["primary", "quiet", "world", "paper", "danger", "hero", "veil", "plain"] as const;
const genders = [{ value: "F", label: "Female" }];

export const controls: readonly Part[] = [
  {
    name: "button",
    content: (
      <>
        <div className={`${styles.row} w-dash`}>
          {buttons.map((variant) =>
            variant === "veil" ? (
              <span key={variant} className={styles.hero}>
                <Button variant={variant}>{variant}</Button>
              </span>
            ) : (
              <Button key={variant} variant={variant}>
                {variant}
              </Button>
            ),
          )}
          <Button aria-disabled>disabled</Button>
        </div>
        <Button wide busy>
          busy
        </Button>
        <Button wide icon={<Plus size={20} aria-hidden="true" />}>
          wide, with an icon
        </Button>
        <div className={styles.row}>
          <IconButton label="Show the password">
            <Eye />
          </IconButton>
          <ButtonLink to="/" variant="quiet">
            a link as a button
          </ButtonLink>
          <Link to="/">a link</Link>
        </div>
      </>
    ),
  },
  {
    name: "field",
    content: (
      <>
        <TextField label="Empty" placeholder="0712 345 678" />
        <TextField label="With a hint" defaultValue="wanjiru" hint="Letters, digits and dots." />
        <TextField label="With an error" defaultValue="w" error="Use at least 3 letters." />
        <TextField
          label="With a button"
          defaultValue="wanjiru@example.com"
          trailing={
            <IconButton label="Show">
              <Eye />
            </IconButton>
          }
        />
        <SelectField label="Select" options={genders} placeholder="Choose one" />
        <SelectField
          label="Select with an error"
          options={genders}
          placeholder="Choose one"
          error="Choose one of them."
        />
      </>
    ),
  },
];
