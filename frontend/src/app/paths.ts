/** The URLs of the app. No other file spells them. */
export const paths = {
  home: "/",
  dashboard: "/dashboard",
  login: "/login",
  register: "/register",
  resetPassword: "/reset-password",
  confirmEmail: "/confirm-email",
  referral: "/referral",
  profile: "/profile",
  currency: "/profile/currency",
  country: "/profile/country",
  account: "/account",
  feedback: "/account/feedback",
  changePassword: "/account/change-password",
  notificationSettings: "/account/notifications",
  newDevice: "/account/new-device",
  wallet: "/account/wallet",
  amount: "/account/payment/amount",
  review: "/account/payment/review",
  pay: "/account/payment/pay",
  airtime: "/account/payment/pay/airtime",
  thankYou: "/account/payment/thank-you",
  boost: "/account/boost",
  subscriptions: "/account/subscription",
  waiting: "/waiting",
  notifications: "/notifications",
  games: "/games",
  game: "/games/:id",
  tournaments: "/tournaments",
  chatRooms: "/chat-room",
  tv: "/playon-tv",
  tvItem: "/playon-tv/:id",
  privacy: "/privacy",
  terms: "/terms",
  offline: "/no-internet",
} as const;

const ORIGIN_PARAM = "from";

/** The login path with the requested page. Login and register themselves are returned unchanged. */
export function loginFrom(location: { pathname: string; search: string }): string {
  const wanted = location.pathname + location.search;
  if (location.pathname === paths.login || location.pathname === paths.register) return wanted;
  if (wanted === paths.home || wanted === paths.dashboard) return paths.login;
  return `${paths.login}?${new URLSearchParams({ [ORIGIN_PARAM]: wanted })}`;
}

/** The profile path with the requested page, which opens once the profile is complete. */
export function profileFrom(location: { pathname: string; search: string }): string {
  const wanted = location.pathname + location.search;
  if (wanted === paths.home || wanted === paths.dashboard) return paths.profile;
  return `${paths.profile}?${new URLSearchParams({ [ORIGIN_PARAM]: wanted })}`;
}

/**
 * The requested page in a query, if any. Only pages of this app are accepted (open redirect), and not its calls, media and games: browsers read `\` as `/`,
 * and drop tabs and line breaks that would separate two slashes.
 */
function requestedPath(search: string): string | null {
  const wanted = new URLSearchParams(search).get(ORIGIN_PARAM);
  return wanted && /^\/(?![/\\]|(api|hooks|media|play)\b)\P{Cc}*$/u.test(wanted) ? wanted : null;
}

/** The page after sign-in: the requested one, else the referral step for a new account, else home. */
export function afterSignIn(search: string, isNewUser = false): string {
  return requestedPath(search) ?? (isNewUser ? paths.referral : paths.dashboard);
}

/** The page after the profile is complete: the requested one, else home. */
export function afterProfile(search: string): string {
  return requestedPath(search) ?? paths.dashboard;
}
