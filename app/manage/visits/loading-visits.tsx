import { TakingLonger } from "../../ui/load-state.tsx";

/** Shown while the counts load, of about their size. */
export function LoadingVisits() {
  return (
    <>
      <p role="status" className="text-muted">
        Loading visits...
      </p>
      <div aria-hidden="true" className="mt-6">
        <div className="skeleton h-16" />
        <div className="skeleton mt-6 h-52" />
      </div>
      <TakingLonger />
    </>
  );
}
