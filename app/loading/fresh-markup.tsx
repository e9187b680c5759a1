import { Component, Fragment, type ReactNode } from "react";

interface FreshMarkupProps {
  /** The address of the page. Each page is tried again once. */
  page: string;
  children: ReactNode;
}

interface FreshMarkupState {
  page: string;
  attempts: number;
  failure: { error: unknown } | null;
}

/**
 * Content that fails to render, also after it was shown, is rendered once more with new elements: a translator or an extension
 * may have changed or removed the former ones. The second failure is thrown.
 */
export class FreshMarkup extends Component<FreshMarkupProps, FreshMarkupState> {
  override state: FreshMarkupState = { page: this.props.page, attempts: 0, failure: null };
  /** See entry.client.tsx. */
  readonly recovers = true;

  static getDerivedStateFromError(error: unknown): Partial<FreshMarkupState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(
    { page }: FreshMarkupProps,
    state: FreshMarkupState,
  ): FreshMarkupState | null {
    return page === state.page ? null : { page, attempts: 0, failure: null };
  }

  override componentDidCatch() {
    this.setState({ attempts: 1, failure: null });
  }

  override render() {
    const { attempts, failure } = this.state;
    if (!failure) return <Fragment key={attempts}>{this.props.children}</Fragment>;
    if (attempts === 0) return null;
    throw failure.error;
  }
}
