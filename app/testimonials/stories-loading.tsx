import { TakingLonger } from "../ui/taking-longer.tsx";

/** What stands where reviews will: the loading line, and cards of about the size of those that come. */
export function StoriesLoading() {
  return (
    <div className="relative mt-12">
      <p role="status" className="absolute bottom-full mb-1 text-muted">
        Loading stories...
      </p>
      <div aria-hidden="true" className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {["", "max-md:hidden", "max-lg:hidden"].map((hidden) => (
          <div
            key={hidden}
            className={`h-96 space-y-4 rounded-lg border border-line bg-surface p-6 sm:p-8 ${hidden}`}
          >
            <div className="skeleton h-5 w-28" />
            <div className="skeleton h-40" />
            <div className="skeleton h-5 w-1/2" />
          </div>
        ))}
      </div>
      <TakingLonger />
    </div>
  );
}
