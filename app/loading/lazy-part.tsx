import { Component, type ComponentType, lazy } from "react";
import { loadModule } from "./load-module.ts";

/** Load what a signed-in user sees on visitors' pages. */
const ownerLoads: (() => Promise<void>)[] = [];

/** Loads the parts of visitors' pages that only a signed-in user sees, so that they are rendered with the page. */
export async function loadOwnerParts(): Promise<void> {
  // A part that fails is loaded again when it is rendered, and shows its failure.
  await Promise.allSettled(ownerLoads.map((load) => load()));
}

/** A part that only a signed-in user sees, on a page of visitors. */
export function lazyOwnerPart<Props extends object>(
  ...part: Parameters<typeof lazyPart<Props>>
): ComponentType<Props> {
  const Part = lazyPart<Props>(...part);
  ownerLoads.push(Part.load);
  return Part;
}

/**
 * A component whose code is loaded when it is first rendered. If loading or rendering fails, `Failure` replaces
 * the component and the rest of the page stays. New props, a new mount and `onRetry` try again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Failure: ComponentType<Props & { onRetry: () => void }>,
): ComponentType<Props> & { load(): Promise<void> } {
  const create = () => lazy<ComponentType<Props>>(() => loadModule(load));
  let Part: ComponentType<Props> = create();

  return class LazyPart extends Component<Props, { failed: boolean }> {
    override state = { failed: false };
    /** See entry.client.tsx. */
    readonly recovers = true;

    /** Loads the code before the first rendering, which then has no need to wait for it. */
    static async load() {
      Part = (await loadModule(load)).default;
    }

    static getDerivedStateFromError() {
      return { failed: true };
    }

    override componentDidCatch() {
      // React caches the failure of a lazy component, so a retry needs a new one.
      Part = create();
    }

    override componentDidUpdate(previous: Readonly<Props>) {
      const before = Object.values(previous);
      const changed = Object.values(this.props).some((value, index) => value !== before[index]);
      if (this.state.failed && changed) this.retry();
    }

    retry = () => this.setState({ failed: false });

    override render() {
      if (this.state.failed) return <Failure {...this.props} onRetry={this.retry} />;
      return <Part {...this.props} />;
    }
  };
}
