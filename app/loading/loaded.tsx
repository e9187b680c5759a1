import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Await, useRevalidator } from "react-router";

/** The outcome of reading a page's data. Serializable: the server sends it to the browser. */
export type Result<Value> = { value: Value } | Failed;

export interface Failed {
  failed: true;
}

/** What a loader returns: a result on the server, the promise of one in the browser. */
export type Loadable<Value> = Result<Value> | Promise<Result<Value>>;

/**
 * Reads data. A failure, also of loading the client, is logged and becomes the result.
 * @param what the data, for the log
 */
export async function tryLoading<Client, Value>(
  what: string,
  client: Client | Promise<Client>,
  read: (client: Client) => Promise<Value>,
): Promise<Result<Value>> {
  try {
    return { value: await read(await client) };
  } catch (error) {
    console.error(`Loading ${what} failed`, error);
    return { failed: true };
  }
}

interface ShownProps<Value> {
  /** Identifies the data, such as a slug or a page number. */
  of: string | number;
  children: (value: Value) => ReactNode;
  /** Shown after a failure when no value of the same data was shown before. */
  failure: (failed: Failed) => ReactNode;
}

interface LoadedProps<Value> extends ShownProps<Value> {
  data: Loadable<Value>;
  /** Shown while there is nothing else to show. */
  fallback?: ReactNode;
}

/** In milliseconds, from a failure to the next attempt. */
const retryDelay = 10_000;

/** Shows what a loader read. After a failure it is read again; until that succeeds, the last value of the same data stays. */
export function Loaded<Value>({ data, fallback, ...shown }: LoadedProps<Value>) {
  return (
    <Suspense fallback={fallback}>
      <Await resolve={data}>{(result) => <LastValue {...shown} result={result} />}</Await>
    </Suspense>
  );
}

function LastValue<Value>(props: ShownProps<Value> & { result: Result<Value> }) {
  const { result, of, children, failure } = props;
  const [last, setLast] = useState({ of, result });
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if ("value" in result) return;
    const timer = setTimeout(revalidate, retryDelay);
    return () => clearTimeout(timer);
  }, [result, revalidate]);
  if ("value" in result) {
    if (result !== last.result) setLast({ of, result });
    return children(result.value);
  }
  return "value" in last.result && last.of === of ? children(last.result.value) : failure(result);
}
