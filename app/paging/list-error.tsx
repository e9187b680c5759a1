import { useState } from "react";
import { useRevalidator } from "react-router";
import { buttonClass } from "../ui/button.ts";

/** What stands where a list would, when it could not be read. `list` is the answer that failed. */
export function ListError({ list, text }: { list: object; text: string }) {
  const { revalidate } = useRevalidator();
  // The revalidator is done before the answer is there: what ends the wait is another list.
  const [retried, setRetried] = useState<object>();
  const trying = retried === list;
  return (
    <div
      role="alert"
      className="mt-10 rounded-lg border border-line bg-surface px-6 py-12 text-center"
    >
      <p className="text-lg">{text}</p>
      <button
        type="button"
        className={`${buttonClass("secondary")} mt-5`}
        disabled={trying}
        onClick={() => {
          setRetried(list);
          revalidate();
        }}
      >
        {trying ? "Trying again..." : "Try again"}
      </button>
    </div>
  );
}
