import { Eye, EyeOff } from "lucide-react";
import { type InputHTMLAttributes, type Ref, useState } from "react";
import { t } from "@/lib/i18n/i18n";
import { IconButton } from "@/ui/Button";
import { TextField } from "@/ui/TextField";

interface PasswordFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A password field with a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  return (
    <TextField
      {...props}
      type={isVisible ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <IconButton
          label={t(isVisible ? "auth.password.hide" : "auth.password.show")}
          onClick={() => setVisible(!isVisible)}
        >
          {isVisible ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
