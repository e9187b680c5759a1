import { Component, type ComponentType, lazy } from "react";
import { loadModule } from "./load-module.ts";

/**
 * A component whose code is loaded when it is first rendered. If loading or rendering fails, `Failure` replaces
 * the component and the rest of the page stays. New props, a new mount and `onRetry` try again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Failure: ComponentType<Props & { onRetry: () => void }>,
): ComponentType<Props> {
  const create = () => lazy<ComponentType<Props>>(() => loadModule(load));
  let Part = create();

  return class LazyPart extends Component<Props, { failed: boolean }> {
    override state = { failed: false };

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
