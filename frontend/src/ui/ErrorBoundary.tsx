import { Component, type ReactNode } from "react";

interface Props {
  readonly fallback: (error: Error) => ReactNode;
  readonly children: ReactNode;
}

/** Shows the fallback in place of children that crashed. A new `key` starts over. */
export class ErrorBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(cause: unknown) {
    return { error: cause instanceof Error ? cause : new Error(String(cause)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? this.props.fallback(error) : this.props.children;
  }
}
