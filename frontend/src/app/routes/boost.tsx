import { useLocation, useNavigate } from "react-router";
import { paths } from "@/app/paths";
import type { Friend } from "@/features/wallet/api/friends";
import { FriendForm } from "@/features/wallet/components/FriendForm";
import { parseTexts } from "@/features/wallet/draft";
import { t } from "@/lib/i18n/i18n";

/** The friend of a boost, by username. The amount replaces this screen. */
export function Component() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { previousPath } = parseTexts(state);
  const onFound = async ({ id, username, name, profilePic }: Friend) =>
    navigate(paths.amount, {
      replace: true,
      viewTransition: true,
      state: {
        type: "BOOST",
        userId: id,
        friendUsername: username ?? name ?? id,
        ...(name ? { friendName: name } : {}),
        ...(profilePic ? { friendPicture: profilePic } : {}),
        ...(previousPath ? { previousPath } : {}),
      },
    });
  return <FriendForm title={t("pay.boost")} back={paths.wallet} onFound={onFound} />;
}
