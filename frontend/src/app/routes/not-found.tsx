import { paths } from "@/app/paths";
import { t } from "@/lib/i18n/i18n";
import { useTitle } from "@/lib/title";
import { ButtonLink } from "@/ui/Button";
import { StagePage } from "@/ui/Stage";

export function Component() {
  useTitle(t("notFound.title"));
  return (
    <StagePage pose="look" world="maneno" title={t("notFound.title")} text={t("notFound.text")}>
      <ButtonLink wide to={paths.home}>
        {t("ui.home")}
      </ButtonLink>
    </StagePage>
  );
}
