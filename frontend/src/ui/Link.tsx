import type { AnchorHTMLAttributes } from "react";
import { type To, useHref, useLinkClickHandler, useLocation } from "react-router";

export interface LinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target" | "onClick"> {
  readonly to: To;
  readonly replace?: boolean;
  /** The navigation state that the next page is opened with. */
  readonly state?: unknown;
}

/** A step to another page of the app. The router's own brings along its framework's prefetching, which nobody here uses. */
export function Link({ to, replace = false, state, ...rest }: LinkProps) {
  const href = useHref(to);
  const onClick = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, viewTransition: true });
  return <a {...rest} href={href} onClick={onClick} />;
}

/** An entry of a menu, marked while its page is the one that is shown. */
export function MenuLink({ to, ...rest }: LinkProps & { readonly to: string }) {
  const { pathname } = useLocation();
  return <Link {...rest} to={to} aria-current={pathname === to ? "page" : undefined} />;
}
