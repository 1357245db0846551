import type { AnchorHTMLAttributes } from "react";
import { type To, useHref, useLinkClickHandler, useLocation } from "react-router";

export interface LinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "target" | "onClick"> {
  readonly to: To;
  readonly replace?: boolean;
  /** The navigation state of the next page. */
  readonly state?: unknown;
}

/** A link to another page of the app. react-router's own Link includes prefetching code that PlayOn does not use. */
export function Link({ to, replace = false, state, ...rest }: LinkProps) {
  const href = useHref(to);
  const onClick = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, viewTransition: true });
  return <a {...rest} href={href} onClick={onClick} />;
}

/** A menu entry, marked with aria-current when its page is shown. */
export function MenuLink({ to, ...rest }: LinkProps & { readonly to: string }) {
  const { pathname } = useLocation();
  return <Link {...rest} to={to} aria-current={pathname === to ? "page" : undefined} />;
}
