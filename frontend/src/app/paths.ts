/** The one place where a URL of the app is spelled. */
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
  changePassword: "/account/change-password",
  wallet: "/account/wallet",
  amount: "/account/payment/amount",
  review: "/account/payment/review",
  pay: "/account/payment/pay",
  thankYou: "/account/payment/thank-you",
  waiting: "/waiting",
  notifications: "/notifications",
  tournaments: "/tournaments",
  chatRooms: "/chat-room",
  privacy: "/privacy",
  terms: "/terms",
  offline: "/no-internet",
} as const;

const ORIGIN_PARAM = "from";

/** The login page, carrying the place that was asked for first. Who is at a way in already stays where they are. */
export function loginFrom(location: { pathname: string; search: string }): string {
  const wanted = location.pathname + location.search;
  if (location.pathname === paths.login || location.pathname === paths.register) return wanted;
  if (wanted === paths.home || wanted === paths.dashboard) return paths.login;
  return `${paths.login}?${new URLSearchParams({ [ORIGIN_PARAM]: wanted })}`;
}

/** The profile, carrying the place that its gaps stand before. */
export function profileFrom(location: { pathname: string; search: string }): string {
  const wanted = location.pathname + location.search;
  if (wanted === paths.home || wanted === paths.dashboard) return paths.profile;
  return `${paths.profile}?${new URLSearchParams({ [ORIGIN_PARAM]: wanted })}`;
}

/**
 * The place that an address carries, if any. Only a path of our own counts, never another site: browsers read `\` as
 * `/`, and drop the tab or line break that would keep two of them apart.
 */
function carried(search: string): string | null {
  const wanted = new URLSearchParams(search).get(ORIGIN_PARAM);
  return wanted && /^\/(?![/\\])\P{Cc}*$/u.test(wanted) ? wanted : null;
}

/** Where to go after sign-in: the place first asked for, else the referral step for a new account, else home. */
export function afterSignIn(search: string, isNewUser = false): string {
  return carried(search) ?? (isNewUser ? paths.referral : paths.dashboard);
}

/** Where a profile that has become complete leads: the place that was asked for first, else home. */
export function afterProfile(search: string): string {
  return carried(search) ?? paths.dashboard;
}

export function waitingFor(paymentId: string): string {
  return `${paths.waiting}?${new URLSearchParams({ payment: paymentId })}`;
}

export function paymentIn(search: string): string | null {
  return new URLSearchParams(search).get("payment");
}

/** Where a friend begins who was sent a referral code: the campaign value that the referral step is prefilled with. */
export function inviteLink(code: string): string {
  return `${window.location.origin}${paths.home}?${new URLSearchParams({ utm_source: code })}`;
}
